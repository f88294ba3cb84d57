"""Makes the sections of a full text: cleaned, within limits, with their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from claimscope.errors import RecordError
from claimscope.ingest.cleaning import clean_text
from claimscope.ingest.limits import check_text
from claimscope.text import split_sentences
from claimscope.types import Section

MOST_CHARACTERS = 2_000_000
"""Characters of a full text; a long paper has 150,000. What goes beyond is left out."""
MOST_SECTIONS = 5_000
_LONGEST_HEADING = 200
_LONGEST_SECTION = 100_000


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a full text as a reader found it."""

    heading: str
    text: str
    page: int | None = None


def make_body(parts: Iterable[Part]) -> tuple[Section, ...]:
    """Make sections of the pieces that say something; one that cannot be used is left out."""
    return tuple(_sections(parts))


def _sections(parts: Iterable[Part]) -> Iterator[Section]:
    characters = count = 0
    for part in parts:
        heading = clean_text(part.heading[:_LONGEST_HEADING])
        for piece in _pieces(part.text):
            text = clean_text(piece)
            characters += len(text)
            if characters > MOST_CHARACTERS or count >= MOST_SECTIONS:
                return
            if text and _is_usable(text):
                count += 1
                yield Section(heading, text, tuple(split_sentences(text)), part.page)


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), _LONGEST_SECTION):
        yield text[start : start + _LONGEST_SECTION]


def _is_usable(text: str) -> bool:
    try:
        check_text("abstract", text)
    except RecordError:
        return False
    return True
