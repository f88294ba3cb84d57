"""When two records are the same paper.

A duplicate left in does little harm, while two papers wrongly made one lose text: wherever two
records could be different papers, they are kept apart.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from hashlib import blake2b

from claimscope._identifiers import find_doi, parse_pmid
from claimscope.types import Document

_WORD = re.compile(r"[^\W_]+")

_TITLE_CHARACTERS = 20
"""Titles shorter than this ("Editorial", "In this issue") belong to many papers."""
_TITLE_WORDS = 4
_SHARED_TITLE = 0.5
_SHARED_ABSTRACT = 0.9
"""Shares of the smaller text's words that the other must hold as well."""


@dataclass(frozen=True, slots=True)
class Identities:
    """The identifiers of a record; each may be missing."""

    doi: str | None
    pmid: str | None
    title_key: int | None


def identities(document: Document) -> Identities:
    """Give a record's normalised identities."""
    meta = document.meta
    return Identities(
        find_doi(meta.doi or ""), parse_pmid(meta.pmid or ""), title_key(document.title)
    )


def title_key(title: str) -> int | None:
    """Give a 64-bit hash of a title's letters and digits; too plain a title gives None."""
    words = title_words(title)
    letters = "".join(words)
    if len(letters) < _TITLE_CHARACTERS or len(words) < _TITLE_WORDS:
        return None
    digest = blake2b(letters.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def same_paper(one: Document, other: Document) -> str | None:
    """Say by which identity two records are the same paper: "doi", "pmid", "title" or None."""
    first, second = identities(one), identities(other)
    if _differ(first.doi, second.doi) or _differ(first.pmid, second.pmid):
        return None
    shared_doi, shared_pmid = first.doi == second.doi, first.pmid == second.pmid
    if first.doi and shared_doi:
        # Chapters carry their book's DOI and meeting abstracts their supplement's.
        both = bool(first.pmid) and shared_pmid
        return "doi" if both or _overlap(one.title, other.title) >= _SHARED_TITLE else None
    if first.pmid and shared_pmid:
        return "pmid" if _overlap(one.title, other.title) >= _SHARED_TITLE else None
    if first.title_key is not None and first.title_key == second.title_key:
        return "title" if _agree(one, other) else None
    return None


def _agree(one: Document, other: Document) -> bool:
    """Say whether two records of one title agree in more than that, and contradict in nothing.

    A title alone proves little: "Introduction to the special issue" appears every month.
    """
    if _differ(one.meta.year, other.meta.year):
        return False
    if one.abstract and other.abstract:
        return _overlap(one.abstract, other.abstract) >= _SHARED_ABSTRACT
    if one.meta.authors and other.meta.authors:
        return _overlap(one.meta.authors[0], other.meta.authors[0]) >= _SHARED_TITLE
    return False


def _differ(one: object, other: object) -> bool:
    return one is not None and other is not None and one != other


def _overlap(one: str, other: str) -> float:
    """Share of the smaller text's words that are in the other; a missing text contradicts none."""
    first, second = set(title_words(one)), set(title_words(other))
    smaller = min(len(first), len(second))
    return len(first & second) / smaller if smaller else 1.0


def title_words(text: str) -> list[str]:
    """Give the words of a text without case, accents and punctuation."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _WORD.findall(text.casefold())
