"""The perfect selector: the annotators' own rationale sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates
from claimscope.types import Candidate, Case, Claim, Gold, RationaleSentence, Score


@dataclass(frozen=True)
class OracleSelector(Composable):
    """Takes every sentence of every gold rationale; shows what the judge alone loses."""

    gold: Gold = field(repr=False)

    kind: ClassVar[Kind] = Kind.SELECT
    name: ClassVar[str] = "oracle"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Mark the gold sentences in every candidate."""
        return map_candidates(cases, self._mark)

    def _mark(self, claim: Claim, candidate: Candidate) -> Candidate:
        evidence = self.gold.get(claim.id, {}).get(candidate.document.id)
        indices = sorted(set().union(*evidence.rationales)) if evidence else []
        return replace(
            candidate,
            rationale=tuple(RationaleSentence(index, Score(1.0, 1.0)) for index in indices),
        )
