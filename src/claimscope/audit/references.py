"""Reads a manuscript's own list of references, as its printed entries name each paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from claimscope._identifiers import find_doi, find_pmid, find_year
from claimscope.audit.manuscript import Reference

_HEADING = re.compile(
    r"[\W\d]*(?:references?(?:\s+cited)?|bibliography|literature(?:\s+cited)?|works\s+cited|"
    r"reference\s+list|cited\s+literature)\W*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*(?:\[(\d{1,4})\]|\(?(\d{1,4})[.)](?=\s))\s*")
_AUTHOR = re.compile(r"[^\W\d_](?:[\w’'-]|\s(?=[^\W\d_]{2,}))*")
_YEAR_LETTER = re.compile(r"\b((?:1[89]|20)\d\d)([a-z])\b")


@dataclass(frozen=True, slots=True)
class Entry:
    """A printed entry and the number that stands before it, if any."""

    number: str
    text: str


def is_heading(text: str) -> bool:
    """Say whether a heading opens a list of references."""
    return _HEADING.fullmatch(text) is not None


def parse_entries(entries: Iterable[Entry]) -> tuple[Reference, ...]:
    """Read each entry; one without a number takes its place in the list as its key."""
    references = []
    for place, entry in enumerate(entries, start=1):
        match = _NUMBER.match(entry.text)
        number = entry.number or (match and (match[1] or match[2])) or str(place)
        text = " ".join((entry.text[match.end() :] if match else entry.text).split())
        references.append(_reference(number, text))
    return tuple(references)


def _reference(key: str, text: str) -> Reference:
    author = _AUTHOR.match(text)
    return Reference(
        key,
        text=text,
        doi=find_doi(text),
        pmid=find_pmid(text),
        year=find_year(text),
        authors=(author[0],) if author else (),
    )


def year_letter(reference: Reference) -> str:
    """Give the year as printed, with its letter, such as "2004a"."""
    match = _YEAR_LETTER.search(reference.text)
    return match[0] if match else str(reference.year or "")
