"""How each paper makes examples of labelled claims: documents, sentences, labels, verdicts."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.labels import Label
from claimscope.stages.judge.rationale import RationaleJudge
from claimscope.stages.rerank.pair_reranker import CONTENTS, windows
from claimscope.train.claims import (
    ANSERINI,
    GOLD,
    STUDY,
    Claims,
    Search,
    cited_of,
    evidence_of,
    rationale_of,
)
from claimscope.train.stages.examples import Example, Target, Work, sampled
from claimscope.types import Candidate, RationaleSentence, Score

POOLS = ("cited", "evidence", "retrieved")
SILENT = ("verisci", "cited", "retrieved")


@dataclass(frozen=True, slots=True)
class _Documents(ABC):
    """Takes some documents of each claim; those that are right are relevant, the others not."""

    search: Search = field(default_factory=Search)
    content: str = "title"
    gold: str = "evidence"
    """Which documents are right: evidence, judged or cited."""

    def __post_init__(self) -> None:
        if self.content not in CONTENTS:
            raise UnknownNameError("kind of content", self.content, CONTENTS)
        if self.gold not in GOLD:
            raise UnknownNameError("kind of gold documents", self.gold, GOLD)

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples, claim by claim."""
        found = self.search.found(data)
        examples = []
        for each in data.claims:
            right = GOLD[self.gold](each, data)
            examples += [
                Example(each.claim.id, each.claim.text, text, name in right)
                for name in self._taken(right, found[each.claim.id], work.generator)
                for text in self._texts(data, name)
            ]
        return examples

    def _texts(self, data: Claims, name: str) -> list[str]:
        """Give what is read of a document, one example each."""
        return [data.text(name, self.content)]

    @abstractmethod
    def _taken(self, right: list[str], found: list[str], generator: random.Random) -> list[str]:
        """Choose among the right documents and those of the search."""


@dataclass(frozen=True, slots=True)
class Candidates(_Documents):
    """Takes BM25's k documents of each claim, in the order of the search.

    SciFCheX reads the titles of 20; a document that is cited but no evidence is a negative, and
    evidence that BM25 misses is not added (section 4.3.3, figures B.2 and B.3). The climate system
    reads 10 or 20 passages, and adds what BM25 misses (section 2.2.3).
    """

    missed: bool = False
    """Whether right documents that the search misses are added."""

    def _taken(self, right: list[str], found: list[str], generator: random.Random) -> list[str]:
        return list(dict.fromkeys((*found, *right))) if self.missed else found


@dataclass(frozen=True, slots=True)
class Abstracts(_Documents):
    """Takes all cited abstracts as relevant, and one random other of each claim's first 10 by BM25.

    VerT5erini, section 3.1; the BERT-T5 study gives no training of its rerankers, so the same is
    used for its monoBERT, and for bi-encoders.
    """

    search: Search = ANSERINI
    content: str = "abstract"
    gold: str = "cited"
    negatives: int = 1
    """How many a claim; all others of the search if there are fewer."""

    def _taken(self, right: list[str], found: list[str], generator: random.Random) -> list[str]:
        others = [name for name in found if name not in right]
        return [*right, *sampled(others, self.negatives, generator)]


@dataclass(frozen=True, slots=True)
class Windows(Abstracts):
    """Takes abstracts window by window, as the stage rerank.relevance will read them.

    VerT5erini, section 3.1: the windows of SciFact's training abstracts are what makes 200 steps of
    128 about 5 epochs.
    """

    window: int = 6
    stride: int = 3

    def __post_init__(self) -> None:
        super(Windows, self).__post_init__()
        if not 1 <= self.stride <= self.window:
            raise ConfigurationError(
                f"Windows of {self.window} sentences cannot have a stride of {self.stride}; the "
                "stride must lie between 1 and the window."
            )

    def _texts(self, data: Claims, name: str) -> list[str]:
        return windows(data.documents[name].sentences, self.window, self.stride)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Takes evidence sentences as relevant, and other sentences of a pool as not relevant.

    VeriSci and SciFCheX take every other sentence of the cited abstracts, so all of an abstract
    that is no evidence (SciFCheX, section 4.4): the pool "cited". VerT5erini draws from the
    evidence abstracts (section 3.2): "evidence". The BERT-T5 study draws from the abstracts that
    were retrieved (section 4.2): "retrieved".
    """

    pool: str = "cited"
    sampled: int = 0
    """Negatives drawn for each positive of a claim; 0 takes the whole pool."""
    search: Search = STUDY
    """Where the pool "retrieved" comes from."""

    def __post_init__(self) -> None:
        if self.pool not in POOLS:
            raise UnknownNameError("pool of sentences", self.pool, POOLS)
        if self.pool == "retrieved" and self.sampled < 1:
            raise ConfigurationError(
                "Of retrieved abstracts only some sentences are learnt from; set 'sampled' to 1 "
                "or more."
            )

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples in the order of claims, documents and sentences."""
        pool = self.search.pool(self.pool, data)
        examples: list[Example] = []
        for each in data.claims:
            names = [*evidence_of(each, data), *pool(each, data)]
            marked = list(_sentences(each, names, data))
            positive = [place for place, (_, right) in enumerate(marked) if right]
            negative = [place for place, (_, right) in enumerate(marked) if not right]
            if self.sampled:
                negative = sampled(negative, self.sampled * len(positive), work.generator)
            examples += [
                Example(each.claim.id, each.claim.text, *marked[place])
                for place in sorted([*positive, *negative])
            ]
        return examples


def _sentences(claim: LabelledClaim, names: list[str], data: Claims) -> Iterator[tuple[str, bool]]:
    """Give the sentences of documents, each document once, and whether they are evidence."""
    for name in dict.fromkeys(names):
        right = rationale_of(claim, name)
        for index, sentence in enumerate(data.documents[name].sentences):
            yield sentence.strip(), index in right


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
