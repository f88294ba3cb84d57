"""The protocol that every library implements, on this disk or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from claimscope.types import Document


@dataclass(frozen=True, slots=True)
class Hit:
    """A document found by a search, with the engine's score; higher is better."""

    document_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Merge:
    """A record found to be the same paper as one in the library, and so folded into it."""

    incoming_id: str
    kept_id: str
    reason: str
    """Which identity the two share: "doi", "pmid" or "title"."""


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of the documents given to `Library.add`; every one is counted once."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    without_abstract: int = 0
    """How many of those added or updated have no abstract."""
    merged: tuple[Merge, ...] = ()
    """Duplicates folded in; each is counted as updated or unchanged, too."""

    def __add__(self, other: AddReport) -> AddReport:
        return AddReport(
            self.added + other.added,
            self.updated + other.updated,
            self.unchanged + other.unchanged,
            self.without_abstract + other.without_abstract,
            self.merged + other.merged,
        )


class Library(Protocol):
    """A collection of papers that can be read, searched and changed."""

    @property
    def location(self) -> str:
        """Path or URL that opens this library again."""

    @property
    def revision(self) -> str:
        """A fingerprint of the contents: equal documents give equal revisions."""

    def __len__(self) -> int: ...

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Give the documents with these ids, in this order; an unknown id raises `InputError`."""

    def documents(self) -> Iterator[Document]:
        """Give every document, ordered by id, without holding them all in memory."""

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Rank by BM25 the k best documents for each query; ties are broken by id."""

    def add(
        self,
        documents: Iterable[Document],
        on_progress: Callable[[int], None] | None = None,
    ) -> AddReport:
        """Add or update documents; when it returns they are durable and searchable.

        `on_progress` is told from time to time how many of them are so already.
        """

    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents and give the number removed."""

    def close(self) -> None:
        """Close files and connections."""
