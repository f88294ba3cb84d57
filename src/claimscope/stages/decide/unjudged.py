"""The honest end of a pipeline without a verifier: evidence to read, and no verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.labels import Label
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.types import Case, Rule, Verdict


@dataclass(frozen=True)
class Unjudged(Composable):
    """Says NOT_ENOUGH_INFO and why: sentences were found, but nothing has judged them."""

    kind: ClassVar[Kind] = Kind.DECIDE
    name: ClassVar[str] = "unjudged"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.VERDICT})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Leave every case undecided."""
        return [replace(case, verdict=_undecided(case)) for case in cases]


def _undecided(case: Case) -> Verdict:
    quoted = sum(1 for candidate in case.candidates if candidate.rationale)
    return Verdict(
        label=Label.NOT_ENOUGH_INFO,
        confidence=None,
        supporting=(),
        refuting=(),
        rule=Rule(
            "unjudged",
            f"NOT_ENOUGH_INFO: this pipeline finds and quotes related sentences ({quoted} of "
            f"{len(case.candidates)} abstracts have some) but has no model that judges whether "
            "they support or refute the claim.",
            "A preset with a verifier would judge them.",
        ),
    )
