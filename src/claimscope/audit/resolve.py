"""Finds the entry that a citation names, and the paper of the library that an entry names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from claimscope.audit.citations import surname_and_year
from claimscope.audit.manuscript import Mark, Reference, Style
from claimscope.audit.references import year_letter
from claimscope.errors import InputError
from claimscope.library.identity import title_words
from claimscope.library.protocol import Hit
from claimscope.types import Document

_CANDIDATES = 10
_FEWEST_WORDS = 4
"""Titles of fewer words are found inside too many entries."""
_SHARED = 0.5
"""Share of the words of the shorter title that a paper found by its DOI must have, too."""


class Papers(Protocol):
    """What of a library is needed to find papers in it."""

    def find(self, words: str) -> Document:
        """Give the paper that a DOI or PubMed id names, or raise `InputError`."""

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Rank documents by BM25."""

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Give documents by id."""


class Problem(StrEnum):
    """Why a citation leads to no paper."""

    NO_ENTRY = "no entry"
    NOT_IN_LIBRARY = "not in library"
    AMBIGUOUS = "ambiguous reference"


@dataclass(frozen=True, slots=True)
class Resolved:
    """What one key of a citation leads to: a paper, or a problem in words."""

    key: str
    reference: Reference | None
    document: Document | None
    problem: Problem | None = None
    detail: str = ""


class Resolver:
    """Resolves citations; each reference is looked up once."""

    def __init__(self, papers: Papers, references: Iterable[Reference]) -> None:
        self._papers = papers
        self._references = list(references)
        self._by_key = {reference.key: reference for reference in reversed(self._references)}
        self._found: dict[tuple[str, Style], Resolved] = {}

    def resolve(self, mark: Mark) -> list[Resolved]:
        """Resolve every key of a citation."""
        return [self._resolve(key, mark.style) for key in mark.keys]

    def _resolve(self, key: str, style: Style) -> Resolved:
        if (key, style) not in self._found:
            self._found[key, style] = self._look_up(key, style)
        return self._found[key, style]

    def _look_up(self, key: str, style: Style) -> Resolved:
        entries = self._entries(key, style)
        if not entries:
            return self._without_entry(key, style)
        if len(entries) > 1:
            shown = "; ".join(entry.text[:80] or entry.title[:80] for entry in entries)
            detail = f"{len(entries)} entries fit {key}: {shown}."
            return Resolved(key, None, None, Problem.AMBIGUOUS, detail)
        [entry] = entries
        return self._paper(key, entry)

    def _entries(self, key: str, style: Style) -> list[Reference]:
        if style is not Style.AUTHOR_YEAR:
            entry = self._by_key.get(key)
            return [entry] if entry else []
        surname, year = surname_and_year(key)
        same = [
            entry
            for entry in self._references
            if year[:4] == str(entry.year) and _is_by(entry, surname)
        ]
        lettered = [entry for entry in same if year_letter(entry) == year]
        return lettered if len(same) > 1 and lettered else same

    def _without_entry(self, key: str, style: Style) -> Resolved:
        """Take a key that is itself a DOI, a PubMed id or an id of the library."""
        if style is Style.KEY and (document := self._named(key)):
            return Resolved(key, None, document)
        detail = f"The references have no entry “{key}”; add it, or correct the citation."
        return Resolved(key, None, None, Problem.NO_ENTRY, detail)

    def _paper(self, key: str, entry: Reference) -> Resolved:
        named = [found for name in (entry.doi, entry.pmid) if name and (found := self._named(name))]
        if len({found.id for found in named}) > 1:
            detail = f"The DOI leads to “{named[0].title}”, the PubMed id to “{named[1].title}”."
            return Resolved(key, entry, None, Problem.AMBIGUOUS, detail)
        if named:
            return self._checked(key, entry, named[0])
        titled = self._titled(entry)
        if len(titled) > 1:
            detail = f"{len(titled)} papers of the library have this title."
            return Resolved(key, entry, None, Problem.AMBIGUOUS, detail)
        if not titled:
            detail = f"The library holds no paper for {_shown(entry)}."
            return Resolved(key, entry, None, Problem.NOT_IN_LIBRARY, detail)
        return Resolved(key, entry, titled[0])

    def _checked(self, key: str, entry: Reference, document: Document) -> Resolved:
        """Refuse a paper whose title is another one than the entry gives."""
        own = set(title_words(entry.title or entry.text))
        theirs = set(title_words(document.title))
        least = _SHARED * (min(len(own), len(theirs)) if entry.title else len(theirs))
        if own and theirs and len(own & theirs) < least:
            detail = f"The entry's DOI or PubMed id is that of another title, “{document.title}”."
            return Resolved(key, entry, None, Problem.AMBIGUOUS, detail)
        return Resolved(key, entry, document)

    def _named(self, name: str) -> Document | None:
        try:
            return self._papers.find(name)
        except InputError:
            return None

    def _titled(self, entry: Reference) -> list[Document]:
        """Find papers by title; in a printed entry the longest title that it contains counts."""
        words = title_words(entry.title or entry.text)
        if not words:
            return []
        [hits] = self._papers.search([entry.title or entry.text], _CANDIDATES)
        found = self._papers.get([hit.document_id for hit in hits])
        fitting = [each for each in found if _has_title(words, each, bool(entry.title))]
        fitting = [each for each in fitting if _years_fit(entry, each)]
        longest = max((len(title_words(each.title)) for each in fitting), default=0)
        return [each for each in fitting if len(title_words(each.title)) == longest]


def _has_title(words: list[str], document: Document, is_title: bool) -> bool:
    title = title_words(document.title)
    if is_title:
        return title == words or (len(words) >= _FEWEST_WORDS and title[: len(words)] == words)
    if len(title) < _FEWEST_WORDS:
        return False
    text, wanted = f" {' '.join(words)} ", f" {' '.join(title)} "
    return wanted in text


def _years_fit(entry: Reference, document: Document) -> bool:
    """Tell papers of one title apart by year; online and print may lie a year apart."""
    if entry.year is None or document.meta.year is None:
        return True
    return abs(entry.year - document.meta.year) <= 1


def _is_by(entry: Reference, surname: str) -> bool:
    """Say whether an entry begins with a name, in whatever order its parts stand."""
    first = " ".join(title_words(entry.authors[0])) if entry.authors else ""
    printed = " ".join(title_words(entry.text[:80]))
    return bool(surname) and (
        f" {surname} " in f" {first} " or printed.startswith(f"{surname} ") or first == surname
    )


def _shown(entry: Reference) -> str:
    words = entry.title or entry.text or entry.key
    return f"“{words[:120].rstrip('.')}”"
