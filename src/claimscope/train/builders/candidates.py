"""Every document of a first stage, right or wrong: title classifiers and cross-encoders."""

from __future__ import annotations

from dataclasses import dataclass, field

from claimscope.errors import UnknownNameError
from claimscope.rerank.contents import CONTENTS
from claimscope.train.builders.source import GOLD, Claims, Search, Work
from claimscope.train.examples import Example


@dataclass(frozen=True, slots=True)
class Candidates:
    """Takes BM25's k documents of each claim: those that are right are relevant, the others not.

    SciFCheX reads the titles of 20; a document that is cited but no evidence is a negative, and
    evidence that BM25 misses is not added (section 4.3.3, figures B.2 and B.3). The climate system
    reads 10 or 20 passages, and adds what BM25 misses (section 2.2.3).
    """

    search: Search = field(default_factory=Search)
    content: str = "title"
    gold: str = "evidence"
    """Which documents are right: evidence, judged or cited."""
    missed: bool = False
    """Whether right documents that the search misses are added."""

    def __post_init__(self) -> None:
        if self.content not in CONTENTS:
            raise UnknownNameError("kind of content", self.content, CONTENTS)
        if self.gold not in GOLD:
            raise UnknownNameError("kind of gold documents", self.gold, GOLD)

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples, claim by claim in the order of the search."""
        ranked = self.search.ranked(data)
        examples = []
        for each in data.claims:
            right = GOLD[self.gold](each, data)
            found = [name for name, _ in ranked[each.claim.id]]
            if self.missed:
                found += [name for name in right if name not in found]
            examples += [
                Example(
                    each.claim.id, each.claim.text, data.text(name, self.content), name in right
                )
                for name in found
            ]
        return examples
