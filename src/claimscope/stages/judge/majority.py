"""The trivial judge: one label for every abstract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.labels import Label
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates
from claimscope.stages.oracle import certain
from claimscope.types import Case


@dataclass(frozen=True)
class Majority(Composable):
    """Gives every candidate the label that is commonest in the data at hand; a floor to beat."""

    label: str = "SUPPORTS"

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "majority"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.LABELS})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Label every candidate alike."""
        labels = certain(Label.parse(self.label))
        return map_candidates(cases, lambda _, candidate: replace(candidate, labels=labels))
