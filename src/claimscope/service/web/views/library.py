"""What the room of the library shows."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from claimscope.claims.reading import read_claim
from claimscope.languages import language_name
from claimscope.library.location import DEMO
from claimscope.library.paging import page
from claimscope.metadata import Place, details
from claimscope.render.case_view import Card, card
from claimscope.render.svg import picture, rectangle, text
from claimscope.service.api.searching import find
from claimscope.service.state import Service
from claimscope.types import Candidate, Document

_PAGE = 20
_FOUND = 50
_BAR, _HIGH = 46.0, 70.0


@dataclass(frozen=True, slots=True)
class Listing:
    """Papers of a search or of the whole library."""

    papers: tuple[Card, ...]
    is_search: bool
    following: str | None
    """Where the page that follows begins."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a library holds, counted."""

    documents: int
    without_abstract: int
    retracted: int
    megabytes: str
    languages: str
    decades: Markup | None
    is_changeable: bool


@dataclass(frozen=True, slots=True)
class Paper:
    """One record in full."""

    card: Card
    sentences: tuple[str, ...]
    facts: dict[str, str]
    is_changeable: bool


def look(service: Service, query: str, after: str) -> Listing:
    """Search the library, or list it a page at a time."""
    if query.strip():
        documents = [item for _, item in find(service, read_claim(query).text, _FOUND)]
        return Listing(tuple(_cards(documents)), True, None)
    documents = page(service.ledger.store, after, _PAGE)
    following = documents[-1].id if len(documents) == _PAGE else None
    return Listing(tuple(_cards(documents)), False, following)


def numbers(service: Service) -> Numbers:
    """Count what the library holds."""
    found = service.library.statistics()
    languages = (
        f"{language_name(code) if code else 'unknown'} {count:,}"
        for code, count in found.languages.items()
    )
    return Numbers(
        documents=found.documents,
        without_abstract=found.without_abstract,
        retracted=found.retracted,
        megabytes=f"{found.bytes_on_disk / 1e6:,.1f}",
        languages=", ".join(languages),
        decades=_decades({year: count for year, count in found.years.items() if year}),
        is_changeable=service.settings.library != DEMO,
    )


def paper(service: Service, document: Document) -> Paper:
    """Prepare a record for a page of its own."""
    [shown] = _cards([document])
    facts = {"Id": document.id, **details(document.meta, Place.STUDY, Place.DETAIL)}
    return Paper(shown, document.sentences, facts, service.settings.library != DEMO)


def _cards(documents: list[Document]) -> list[Card]:
    return [card(Candidate(item), rank) for rank, item in enumerate(documents, start=1)]


def _decades(years: dict[int | None, int]) -> Markup | None:
    """Draw how many papers each decade has."""
    counts: dict[int, int] = {}
    for year, count in years.items():
        if year is not None:
            counts[year // 10 * 10] = counts.get(year // 10 * 10, 0) + count
    if not counts:
        return None
    decades = range(min(counts), max(counts) + 10, 10)
    most = max(counts.values())
    drawn = []
    for place, decade in enumerate(decades):
        count = counts.get(decade, 0)
        height = _HIGH * count / most
        x = place * _BAR
        tip = f"{decade}s: {count:,}"
        drawn.append(rectangle(x + 4, _HIGH + 16 - height, _BAR - 8, height, "bar", tip))
        drawn.append(text(x + _BAR / 2, _HIGH + 12 - height, f"{count:,}", "value", "middle"))
        drawn.append(text(x + _BAR / 2, _HIGH + 34, f"{decade}s", "tick", "middle"))
    words = "; ".join(f"{decade}s {counts.get(decade, 0):,}" for decade in decades)
    return picture("Papers by decade", words, len(decades) * _BAR, _HIGH + 40, *drawn)
