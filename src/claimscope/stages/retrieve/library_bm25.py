"""BM25 by the library's own index: the default retriever, and the one that scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from claimscope.library.protocol import Library
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.retrieve.ranking import with_hits
from claimscope.types import Case, Claim


@dataclass(frozen=True)
class LibraryBM25(Composable):
    """Takes the k best documents of the library's index (k1 = 1.2, b = 0.75, English stems)."""

    library: Library = field(repr=False)
    k: int = 20

    kind: ClassVar[Kind] = Kind.RETRIEVE
    name: ClassVar[str] = "bm25"
    requires: ClassVar[frozenset[Part]] = frozenset()
    provides: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})

    def __post_init__(self) -> None:
        require_positive(self, "k")

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Search the library for every claim."""
        rankings = self.library.search([case.claim.text for case in cases], self.k)
        return with_hits(cases, rankings, self.library, stage_id(self))

    def rank_of(self, claim: Claim, document_id: str) -> int | None:
        """Search deeper and deeper until the document appears."""
        depth, size = max(self.k, 100), len(self.library)
        while True:
            [hits] = self.library.search([claim.text], depth)
            for rank, hit in enumerate(hits, start=1):
                if hit.document_id == document_id:
                    return rank
            if len(hits) < depth or depth >= size:
                return None
            depth *= 10
