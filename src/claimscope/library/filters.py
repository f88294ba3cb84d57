"""Which papers a search may find: by year, design, language and retraction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields

from claimscope._languages import normalise_language
from claimscope.errors import InputError
from claimscope.library.protocol import AddReport, Hit, Library, PassageHit, PassageSearch
from claimscope.types import Document, Metadata


@dataclass(frozen=True, slots=True)
class Filter:
    """What a paper must be to be found; a condition that is left out admits every paper."""

    first_year: int | None = None
    last_year: int | None = None
    designs: tuple[str, ...] = ()
    """Any of these is the paper's study type or one of its publication types; case is ignored."""
    languages: tuple[str, ...] = ()
    """Any of these is the paper's language; codes and names mean the same."""
    retracted: bool | None = None

    def __post_init__(self) -> None:
        if None not in (self.first_year, self.last_year) and self.first_year > self.last_year:  # type: ignore[operator]
            raise InputError(
                f"No year lies between {self.first_year} and {self.last_year}; exchange the two."
            )

    def __bool__(self) -> bool:
        return self != Filter()

    def __str__(self) -> str:
        """Give the conditions in one line, as the revision of a filtered library names them."""
        given = ((each.name, getattr(self, each.name)) for each in fields(self))
        return "&".join(
            f"{name}={_shown(value)}" for name, value in given if value not in ((), None)
        )

    @property
    def design_keys(self) -> frozenset[str]:
        """The designs as they are compared."""
        return frozenset(map(_key, self.designs))

    @property
    def language_keys(self) -> frozenset[str]:
        """The languages as they are compared."""
        return frozenset(_language_key(each) for each in self.languages)

    def admits(self, meta: Metadata) -> bool:
        """Say whether a paper of these metadata may be found; an unknown year fits no range."""
        return (
            self._admits_year(meta.year)
            and (not self.designs or not self.design_keys.isdisjoint(design_keys(meta)))
            and (not self.languages or language_key(meta) in self.language_keys)
            and self.retracted in (None, meta.retracted)
        )

    def _admits_year(self, year: int | None) -> bool:
        if year is None:
            return self.first_year is None and self.last_year is None
        return (self.first_year is None or self.first_year <= year) and (
            self.last_year is None or year <= self.last_year
        )


def design_keys(meta: Metadata) -> list[str]:
    """Give a paper's designs as they are compared, in order."""
    names = (meta.study_type or "", *meta.publication_types)
    return list(dict.fromkeys(_key(name) for name in names if name))


def language_key(meta: Metadata) -> str | None:
    """Give a paper's language as it is compared."""
    return _language_key(meta.language) if meta.language else None


def _language_key(language: str) -> str:
    return _key(normalise_language(language) or language)


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def _shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True)
class FilteredLibrary:
    """A library of which only some papers are found; reading by id is as before."""

    library: Library = field(repr=False)
    where: Filter

    @property
    def location(self) -> str:
        """Path or URL of the whole library."""
        return self.library.location

    @property
    def revision(self) -> str:
        """The fingerprint of the whole library, and the filter."""
        return f"{self.library.revision}?{self.where}"

    def __len__(self) -> int:
        """Count the whole library."""
        return len(self.library)

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Give documents, whether or not a search may find them."""
        return self.library.get(ids)

    def documents(self) -> Iterator[Document]:
        """Give every document that may be found, ordered by id."""
        return (each for each in self.library.documents() if self.where.admits(each.meta))

    def search(
        self, queries: Sequence[str], k: int, where: Filter | None = None
    ) -> list[list[Hit]]:
        """Rank what may be found; a second filter is refused."""
        if where:
            raise InputError("This library is filtered already; name all conditions at once.")
        return self.library.search(queries, k, self.where)

    def search_passages(
        self, queries: Sequence[str], k: int, within: Sequence[str] | None = None
    ) -> list[list[PassageHit]]:
        """Rank the passages of papers that may be found; none if the library searches none."""
        if not isinstance(self.library, PassageSearch):
            return [[] for _ in queries]
        return [self._passages(self.library, query, k, within) for query in queries]

    def _passages(
        self, library: PassageSearch, query: str, k: int, within: Sequence[str] | None
    ) -> list[PassageHit]:
        limit = k
        while True:
            [hits] = library.search_passages([query], limit, within)
            papers = self.library.get(sorted({hit.document_id for hit in hits}))
            admitted = {each.id for each in papers if self.where.admits(each.meta)}
            found = [hit for hit in hits if hit.document_id in admitted]
            if len(found) >= k or len(hits) < limit:
                return found[:k]
            limit *= 4

    def add(
        self, documents: Iterable[Document], on_progress: Callable[[int], None] | None = None
    ) -> AddReport:
        """Add documents to the whole library."""
        return self.library.add(documents, on_progress)

    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents from the whole library."""
        return self.library.remove(ids)

    def close(self) -> None:
        """Close the whole library."""
        self.library.close()


def filtered(library: Library, where: Filter | None) -> Library:
    """Give a library of which a search finds only what a filter admits."""
    return FilteredLibrary(library, where) if where else library
