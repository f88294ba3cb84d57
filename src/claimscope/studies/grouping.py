"""Finds papers that report the same study: by registry number, by DOI, or by title and author.

Papers that could be different studies stay apart: a study that votes twice does less harm than one
that has no vote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from claimscope._identifiers import find_doi
from claimscope.library.identity import title_words
from claimscope.studies.design import Design, find_design
from claimscope.types import Document, StudyGroup

_REGISTRY = re.compile(
    r"\b(?:NCT ?0?[0-9]{7,8}|ISRCTN ?[0-9]{8}|ACTRN ?[0-9]{14}|ChiCTR[-A-Z]{0,6} ?[0-9]{8,10}|"
    r"UMIN ?0{0,4}[0-9]{5,9}|DRKS ?[0-9]{8}|CTRI/[0-9]{4}/[0-9]{2,3}/[0-9]{6}|jRCT[0-9s]{9,11}|"
    r"PACTR ?[0-9]{15,16}|NTR ?[0-9]{3,4}|IRCT ?[0-9]{11,14}N[0-9]{1,3}|CRD ?[0-9]{11}|"
    r"EudraCT(?: (?:number|no\.?))?:? ?[0-9]{4}-[0-9]{6}-[0-9]{2})\b",
    re.IGNORECASE,
)
_PREPRINT = re.compile(
    r"preprint|biorxiv|medrxiv|arxiv|research square|ssrn|^10\.1101/", re.IGNORECASE
)
_ABSTRACT = re.compile(r"meeting abstract|congress|conference|proceedings", re.IGNORECASE)
_VERSION = re.compile(r"(?:[./]v[0-9]{1,2})$")
# What tells two reports of a series apart, such as "part II" or "at week 48".
_SERIAL = re.compile(r"[0-9]+|[ivx]+")
_LEAST_WORDS = 5
_LIKE_TITLES = 0.8
_LIKE_ABSTRACTS = 0.6
_YEARS_APART = 4


@dataclass(frozen=True, slots=True)
class _Report:
    """What a paper is compared by."""

    document: Document
    registrations: frozenset[str]
    doi: str
    words: frozenset[str]
    serials: tuple[str, ...]
    author: str
    is_review: bool


def registrations(document: Document) -> frozenset[str]:
    """Give the registry numbers that a paper names, such as NCT01234567."""
    text = f"{document.title} {document.abstract} {document.meta.note or ''}"
    return frozenset(re.sub(r"[ :]", "", match[0]).upper() for match in _REGISTRY.finditer(text))


def group_studies(documents: Sequence[Document]) -> tuple[StudyGroup, ...]:
    """Give the groups of two and more papers that report one study, in the order given."""
    reports = [_report(document) for document in documents]
    places = list(range(len(reports)))
    reasons: dict[int, list[str]] = {}
    for one, other in combinations(range(len(reports)), 2):
        if reason := _same_study(reports[one], reports[other]):
            kept, gone = places[one], places[other]
            if kept == gone:
                continue
            places = [kept if place == gone else place for place in places]
            reasons.setdefault(kept, []).extend([*reasons.pop(gone, []), reason])
    return tuple(_groups(reports, places, reasons))


def _groups(
    reports: Sequence[_Report], places: Sequence[int], reasons: dict[int, list[str]]
) -> Iterator[StudyGroup]:
    for place, found in reasons.items():
        members = [report for report, own in zip(reports, places, strict=True) if own == place]
        kinds = dict.fromkeys(filter(None, (_kind(report.document) for report in members)))
        reason = "; ".join(dict.fromkeys(found))
        if kinds:
            reason += f" (among them: {', '.join(kinds)})"
        yield StudyGroup(tuple(report.document.id for report in members), reason)


def _report(document: Document) -> _Report:
    words = title_words(document.title)
    authors = document.meta.authors
    surname = title_words(authors[0].partition(",")[0]) if authors else []
    return _Report(
        document=document,
        registrations=registrations(document),
        doi=_VERSION.sub("", find_doi(document.meta.doi or "") or ""),
        words=frozenset(words),
        serials=tuple(sorted(word for word in words if _SERIAL.fullmatch(word))),
        author=max(surname, key=len, default=""),
        is_review=find_design(document)[0] is Design.SYSTEMATIC_REVIEW,
    )


def _same_study(one: _Report, other: _Report) -> str:
    """Say why two papers report the same study; empty if nothing says so."""
    if one.is_review != other.is_review:
        return ""
    if one.doi and one.doi == other.doi:
        return f"versions of {one.doi}"
    # A pooled analysis names the numbers of several studies and is none of them.
    if one.registrations and one.registrations == other.registrations:
        return f"same registry number {', '.join(sorted(one.registrations))}"
    if one.registrations and other.registrations:
        return ""
    return _like_reports(one, other)


def _like_reports(one: _Report, other: _Report) -> str:
    if min(len(one.words), len(other.words)) < _LEAST_WORDS or one.serials != other.serials:
        return ""
    years = one.document.meta.year, other.document.meta.year
    if years[0] and years[1] and abs(years[0] - years[1]) > _YEARS_APART:
        return ""
    if _likeness(one.words, other.words) < _LIKE_TITLES:
        return ""
    if one.author and other.author:
        return (
            "nearly the same title and the same first author" if one.author == other.author else ""
        )
    texts = [frozenset(title_words(each.document.abstract)) for each in (one, other)]
    alike = all(texts) and _likeness(*texts) >= _LIKE_ABSTRACTS
    return "nearly the same title and abstract" if alike else ""


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def _kind(document: Document) -> str:
    meta = document.meta
    told = "; ".join((meta.doi or "", meta.venue or "", *meta.publication_types))
    if _PREPRINT.search(told):
        return "a preprint"
    return "a conference abstract" if _ABSTRACT.search("; ".join(meta.publication_types)) else ""
