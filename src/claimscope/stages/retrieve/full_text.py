"""Adds papers whose full text matches the claim although title and abstract do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from claimscope.library.lexical import analyse
from claimscope.library.protocol import Library, PassageHit, PassageSearch
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.types import Candidate, Case, Score

_PASSAGES_OF_A_PAPER = 8
"""One paper may have several of the best passages."""


@dataclass(frozen=True)
class FullTextRetriever(Composable):
    """Searches the passages of full texts (BM25), and adds their papers to those that were found.

    A library that holds no full texts, or cannot search them, adds nothing.
    """

    library: Library = field(repr=False)
    k: int = 3
    """How many papers are added at most."""
    share: float = 0.6
    """Least share of the claim's terms that a passage must hold."""
    behind: str = "retrieve.bm25"
    """A stage that later stages order by; the added papers score 0 there."""

    kind: ClassVar[Kind] = Kind.RETRIEVE
    name: ClassVar[str] = "full-text"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})

    def __post_init__(self) -> None:
        require_positive(self, "k")

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Search the passages for every claim."""
        if not isinstance(self.library, PassageSearch) or not cases:
            return list(cases)
        known = max(len(case.candidates) for case in cases)
        depth = (self.k + known) * _PASSAGES_OF_A_PAPER
        rankings = self.library.search_passages([case.claim.text for case in cases], depth)
        return [self._with(case, hits) for case, hits in zip(cases, rankings, strict=True)]

    def _with(self, case: Case, hits: Sequence[PassageHit]) -> Case:
        wanted = set(analyse(case.claim.text))
        known = {item.document.id for item in case.candidates}
        best: dict[str, float] = {}
        for hit in hits:
            shared = wanted & set(analyse(f"{hit.heading} {hit.text}"))
            if hit.document_id not in known and len(shared) >= self.share * len(wanted):
                best.setdefault(hit.document_id, hit.score)
        names = list(best)[: self.k]
        added = (
            Candidate(document, self._scores(best[document.id]))
            for document in self.library.get(names)
        )
        return replace(case, candidates=(*case.candidates, *added)) if names else case

    def _scores(self, score: float) -> MappingProxyType[str, Score]:
        return MappingProxyType({self.behind: Score(0.0), stage_id(self): Score(score)})
