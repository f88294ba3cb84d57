"""Gold rationales with their label, and sentences that say nothing: the label predictors."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import UnknownNameError
from claimscope.labels import Label
from claimscope.stages.judge.rationale import RationaleJudge
from claimscope.train.stages.builders.source import (
    STUDY,
    Claims,
    Search,
    Work,
    cited_of,
    evidence_of,
    rationale_of,
)
from claimscope.train.stages.examples import Example, Target, sampled
from claimscope.types import Candidate, RationaleSentence, Score

SILENT = ("verisci", "cited", "retrieved")


@dataclass(frozen=True, slots=True)
class Labels:
    """Takes each gold set with its label, and 1 or 2 random other sentences as NOT_ENOUGH_INFO.

    VeriSci and SciFCheX (section 4.5) add the union of an abstract's gold sets, and draw the
    silent sentences from the evidence abstracts, or from the cited ones of a claim that has none:
    "verisci". VerT5erini (section 3.3) draws them from every cited abstract: "cited". The BERT-T5
    study (section 4.3) draws them from what was retrieved: "retrieved".
    """

    union: bool = True
    silent: str = "verisci"
    numbering: str = ""
    """What goes before each sentence, as in the stage judge.rationale."""
    search: Search = STUDY
    """Where "retrieved" looks."""

    def __post_init__(self) -> None:
        if self.silent not in SILENT:
            raise UnknownNameError("source of silent sentences", self.silent, SILENT)

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples, claim by claim, the gold ones first."""
        pool = _verisci if self.silent == "verisci" else self.search.pool(self.silent, data)
        examples: list[Example] = []
        for each in data.claims:
            examples += self._gold(each, data)
            examples += self._silent(each, data, pool(each, data), work.generator)
        return examples

    def _gold(self, claim: LabelledClaim, data: Claims) -> Iterator[Example]:
        for name in evidence_of(claim, data):
            gold = (claim.evidence or {})[name]
            sets = [sorted(each) for each in gold.rationales if each]
            if self.union and sets:
                sets.append(sorted(rationale_of(claim, name)))
            for sentences in sets:
                yield self._example(claim, data, name, sentences, gold.label or False)

    def _silent(
        self, claim: LabelledClaim, data: Claims, names: Sequence[str], generator: random.Random
    ) -> Iterator[Example]:
        for name in names:
            right = rationale_of(claim, name)
            others = [
                index for index in range(len(data.documents[name].sentences)) if index not in right
            ]
            chosen = sampled(others, generator.randint(1, 2), generator)
            if chosen:
                yield self._example(claim, data, name, chosen, Label.NOT_ENOUGH_INFO)

    def _example(
        self,
        claim: LabelledClaim,
        data: Claims,
        name: str,
        sentences: Sequence[int],
        target: Target,
    ) -> Example:
        """Join the sentences exactly as the stage that will read them does."""
        rationale = tuple(RationaleSentence(index, Score(1.0)) for index in sentences)
        joined = RationaleJudge("", self.numbering).evidence(
            Candidate(data.documents[name], rationale=rationale)
        )
        return Example(claim.claim.id, claim.claim.text, joined, target)


def _verisci(claim: LabelledClaim, data: Claims) -> list[str]:
    return evidence_of(claim, data) or cited_of(claim, data)
