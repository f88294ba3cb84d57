"""Cited abstracts against abstracts that BM25 takes for them: VerT5erini's reranker."""

from __future__ import annotations

from dataclasses import dataclass, field

from claimscope.errors import UnknownNameError
from claimscope.rerank.contents import CONTENTS
from claimscope.train.builders.source import GOLD, Claims, Search, Work
from claimscope.train.examples import Example, sampled

_ANSERINI = Search(10, "lucene", 0.9, 0.4, "stem-stop", "abstract")
"""Pyserini's parameters and depth 10."""


@dataclass(frozen=True, slots=True)
class Abstracts:
    """Takes all cited abstracts as relevant, and of each claim's BM25 top 10 one other at random.

    VerT5erini, section 3.1; the BERT-T5 study gives no training of its rerankers, so the same is
    used for its monoBERT, and for bi-encoders.
    """

    search: Search = field(default_factory=lambda: _ANSERINI)
    content: str = "abstract"
    gold: str = "cited"
    negatives: int = 1
    """How many a claim; all others of the search if there are fewer."""

    def __post_init__(self) -> None:
        if self.content not in CONTENTS:
            raise UnknownNameError("kind of content", self.content, CONTENTS)
        if self.gold not in GOLD:
            raise UnknownNameError("kind of gold documents", self.gold, GOLD)

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples, claim by claim, the relevant ones first."""
        ranked = self.search.ranked(data)
        examples = []
        for each in data.claims:
            right = GOLD[self.gold](each, data)
            others = [name for name, _ in ranked[each.claim.id] if name not in right]
            chosen = [
                others[i] for i in sampled(range(len(others)), self.negatives, work.generator)
            ]
            examples += [
                Example(
                    each.claim.id, each.claim.text, data.text(name, self.content), name in right
                )
                for name in (*right, *chosen)
            ]
        return examples
