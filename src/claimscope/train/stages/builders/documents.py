"""Documents of a first stage, right or wrong: rerankers, title classifiers and cross-encoders."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from claimscope.errors import UnknownNameError
from claimscope.stages.rerank.pair_reranker import CONTENTS
from claimscope.train.stages.builders.source import ANSERINI, GOLD, Claims, Search, Work
from claimscope.train.stages.examples import Example, sampled


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
                Example(
                    each.claim.id, each.claim.text, data.text(name, self.content), name in right
                )
                for name in self._taken(right, found[each.claim.id], work.generator)
            ]
        return examples

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
    """Takes all cited abstracts as relevant, and of each claim's BM25 top 10 one other at random.

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
