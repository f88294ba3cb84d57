"""The protocol that every library implements, on this disk or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from claimscope.types import Document

if TYPE_CHECKING:
    from claimscope.library.filters import Filter
    from claimscope.library.record import Paper
    from claimscope.library.recovery import Recovery
    from claimscope.library.statistics import Statistics
    from claimscope.library.undo import Undone
    from claimscope.library.verify import Problem


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

    @property
    def counts(self) -> dict[str, int]:
        """How many documents were added, updated and left unchanged."""
        return {"added": self.added, "updated": self.updated, "unchanged": self.unchanged}

    def __add__(self, other: AddReport) -> AddReport:
        return AddReport(
            self.added + other.added,
            self.updated + other.updated,
            self.unchanged + other.unchanged,
            self.without_abstract + other.without_abstract,
            self.merged + other.merged,
        )


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage of a full text found by a search; higher scores are better."""

    document_id: str
    score: float
    section: int
    """The section's place in the document's body."""
    heading: str
    page: int | None
    start: int
    """Where the passage begins in the section's text."""
    text: str


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

    def search(
        self, queries: Sequence[str], k: int, where: Filter | None = None
    ) -> list[list[Hit]]:
        """Rank by BM25 the k best documents for each query; ties are broken by id.

        With a filter only documents that it admits are found.
        """

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


class ManagedLibrary(Library, Protocol):
    """A library as it is opened: it can be looked after, too, in a folder or on a server."""

    @property
    def is_being_written(self) -> bool:
        """Whether somebody changes the library now: this process or another one."""

    @property
    def recovery(self) -> Recovery:
        """What opening this library had to repair."""

    def add(
        self,
        documents: Iterable[Document],
        on_progress: Callable[[int], None] | None = None,
        merge: bool = True,
    ) -> AddReport:
        """Add or update documents; without `merge` two records of one paper stay two."""

    def papers(self) -> Iterator[Paper]:
        """Give every paper with the records it was merged from, ordered by id."""

    def receive(
        self, papers: Iterable[Paper], on_progress: Callable[[int], None] | None = None
    ) -> AddReport:
        """Take papers of another library in as they are; merged ones stay as they were merged."""

    def present(self, ids: Sequence[str]) -> dict[str, Document]:
        """Give those of these documents that exist, in this order."""

    def page(self, after: str, limit: int) -> list[Document]:
        """Give so many documents after the one with an id, in an order that stays the same."""

    def named(self, words: str) -> list[str]:
        """Give the ids of the papers that a text names: by id, DOI, PubMed id, URL or title."""

    def find(self, words: str) -> Document:
        """Give the one paper that is named so, or has these words in its title."""

    def undo(self) -> Undone:
        """Take the last change back."""

    def statistics(self) -> Statistics:
        """Count the contents."""

    def verify(self) -> Iterator[Problem]:
        """Name every disagreement; giving nothing means that all is well."""

    def rebuild(self) -> int:
        """Make what searches use anew from the documents, and count them."""

    def compact(self) -> int:
        """Give space of removed documents back and say how many bytes that were."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


@runtime_checkable
class PassageSearch(Protocol):
    """What a library can do besides, if it searches full texts; no library has to.

    A library without it may still hold full texts: `get` then gives documents with a body, and
    checking reads them. One that keeps no full text gives documents whose body is empty.
    """

    def search_passages(
        self, queries: Sequence[str], k: int, within: Sequence[str] | None = None
    ) -> list[list[PassageHit]]:
        """Rank the k best passages for each query, of all documents or of those with these ids."""
