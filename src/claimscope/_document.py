"""A paper and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from claimscope._display import DocumentDisplay

Span = tuple[int, int]
"""Start and end (exclusive) of a piece of text, in characters of its source."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """A paper's metadata."""

    doi: str | None = None
    pmid: str | None = None
    year: int | None = None
    venue: str | None = None
    authors: tuple[str, ...] = ()
    url: str | None = None
    language: str | None = None
    publication_types: tuple[str, ...] = ()
    study_type: str | None = None
    sample_size: int | None = None
    """How many took part, or were studied."""
    population: str | None = None
    """Who or what was studied, in words."""
    retracted: bool = False
    notices: tuple[str, ...] = ()
    """Retractions, expressions of concern and corrections, each with its date and reasons."""
    tags: tuple[str, ...] = ()
    """Tags and collections of a reference manager."""
    citation_key: str | None = None
    """What manuscripts cite it by."""
    note: str | None = None
    """A caution for the reader, such as "title and abstract guessed from a PDF"."""
    source: str | None = None
    """Name of the file the record came from."""


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of a paper's full text, under one heading and on one page where pages are known."""

    heading: str
    text: str
    spans: tuple[Span, ...] = ()
    """Where its sentences lie in the text."""
    page: int | None = None
    """Counted from 1; the page on which the text begins."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences, each a verbatim substring of the text."""
        return tuple(self.text[start:end] for start, end in self.spans)


@dataclass(frozen=True, repr=False)
class Document(DocumentDisplay):
    """A paper: title, abstract with the places of its sentences, and full text if it is known."""

    id: str
    title: str
    abstract: str = ""
    spans: tuple[Span, ...] = ()
    meta: Metadata = field(default_factory=Metadata)
    body: tuple[Section, ...] = ()

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The abstract's sentences, each a verbatim substring of it."""
        return tuple(self.abstract[start:end] for start, end in self.spans)

    @property
    def has_abstract(self) -> bool:
        """Whether there is any text to find evidence in."""
        return bool(self.spans)

    @property
    def depth(self) -> str:
        """How much of the paper is known: "title", "abstract" or "full text"."""
        return "full text" if self.body else "abstract" if self.has_abstract else "title"

    @property
    def text(self) -> str:
        """Title and abstract as one text."""
        return f"{self.title} {self.abstract}".strip()
