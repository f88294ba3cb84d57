"""The perfect judge: the annotators' own labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.labels import Label
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates
from claimscope.types import Candidate, Case, Claim, Gold, LabelProbabilities


@dataclass(frozen=True)
class OracleJudge(Composable):
    """Gives each candidate its gold label, and NOT_ENOUGH_INFO where there is none."""

    gold: Gold = field(repr=False)

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "oracle"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.LABELS})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Look up the label of every candidate."""
        return map_candidates(cases, self._label)

    def _label(self, claim: Claim, candidate: Candidate) -> Candidate:
        evidence = self.gold.get(claim.id, {}).get(candidate.document.id)
        label = evidence.label if evidence else None
        return replace(candidate, labels=certain(label or Label.NOT_ENOUGH_INFO))


def certain(label: Label) -> LabelProbabilities:
    """Put all probability on one label."""
    return LabelProbabilities(
        supports=float(label is Label.SUPPORTS),
        refutes=float(label is Label.REFUTES),
        not_enough_info=float(label not in {Label.SUPPORTS, Label.REFUTES}),
    )
