"""The papers' label predictors, which read the chosen sentences, and a constant one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.scorer import Pair, stances
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates
from claimscope.stages.oracle import certain
from claimscope.types import Candidate, Case, Claim


@dataclass(frozen=True)
class RationaleJudge(Composable):
    """Labels an abstract by its rationale sentences, joined in the order of the abstract.

    Without a rationale the label is NOT_ENOUGH_INFO for certain (VeriSci). `numbering` goes before
    each sentence, its {number} counting from 1 (VerT5erini, section 3.3); `ending` follows the
    last, for the colon in VerT5erini's published code that its training lacks.
    """

    model: str
    numbering: str = ""
    ending: str = ""
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "rationale"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES, Part.RATIONALE})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.LABELS})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Label the candidates of all cases together."""
        pairs = [
            Pair(case.claim.text, self.evidence(item))
            for case in cases
            for item in case.candidates
            if item.rationale
        ]
        labels = iter(stances(self.models.scorer(self.model), pairs) if pairs else ())

        def label(_: Claim, item: Candidate) -> Candidate:
            silent = certain(Label.NOT_ENOUGH_INFO)
            return replace(item, labels=next(labels) if item.rationale else silent)

        return map_candidates(cases, label)

    def evidence(self, candidate: Candidate) -> str:
        """Join the rationale's sentences."""
        indices = sorted(item.index for item in candidate.rationale)
        sentences = [candidate.document.sentences[index].strip() for index in indices]
        numbered = [
            self.numbering.replace("{number}", str(number)) + sentence
            for number, sentence in enumerate(sentences, start=1)
        ]
        return " ".join(numbered) + self.ending


@dataclass(frozen=True)
class Majority(Composable):
    """Gives every candidate the most frequent label of the data; a trivial baseline."""

    label: str = "SUPPORTS"

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "majority"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.LABELS})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Label every candidate alike."""
        labels = certain(Label.parse(self.label))
        return map_candidates(cases, lambda _, candidate: replace(candidate, labels=labels))
