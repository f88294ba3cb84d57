"""What a reader finds in a manuscript: running text, the citations in it, and its references."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate

from claimscope.text import split_sentences

_WORD = re.compile(r"\S+")


class Style(StrEnum):
    """How a citation names its reference."""

    KEY = "key"
    NUMBER = "number"
    AUTHOR_YEAR = "author-year"


@dataclass(frozen=True, slots=True)
class Mark:
    """One citation in the text, such as "[@smith2004; @lee2010]" or "[12, 14-16]"."""

    start: int
    """Where it stood, as an offset in its block's text."""
    label: str
    """As the manuscript writes it."""
    keys: tuple[str, ...]
    """One for each reference: its key, its number, or its author and year."""
    style: Style
    stays: str = ""
    """The words of the text that stand for it, as "Smith" does in "Smith (2004) found"."""

    @property
    def is_narrative(self) -> bool:
        """Whether the sentence names the paper itself."""
        return bool(self.stays)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph without its citations, which are marks beside it."""

    text: str
    marks: tuple[Mark, ...]
    places: tuple[tuple[int, int], ...]
    """Pairs of an offset and the line, paragraph or page that begins there, in order."""

    def place(self, offset: int) -> int:
        """Give the line, paragraph or page of an offset."""
        found = bisect_right(self.places, (offset, 1 << 60)) - 1
        return self.places[max(found, 0)][1]


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of a list of references; any part of it may be missing."""

    key: str
    text: str = ""
    """The entry as printed, where it is running text."""
    title: str = ""
    doi: str | None = None
    pmid: str | None = None
    year: int | None = None
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A manuscript as its reader found it."""

    name: str
    blocks: tuple[Block, ...]
    references: tuple[Reference, ...] = ()
    bibliographies: tuple[str, ...] = ()
    """Files of references that the manuscript names."""
    place_name: str = "line"
    """What places count: "line", "paragraph" or "page"."""
    notes: tuple[str, ...] = ()
    """Sentences on what could not be read."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a manuscript with the citations in it; offsets of marks count in its text."""

    text: str
    place: int
    marks: tuple[Mark, ...]

    @property
    def as_written(self) -> str:
        """The sentence with its citations where they stood."""
        parts, reached = [], 0
        for mark in self.marks:
            before = self.text[reached : mark.start]
            space = " " if before and not before[-1].isspace() and before[-1] not in "([" else ""
            parts += [before, ("" if mark.is_narrative else space) + mark.label]
            reached = mark.start + len(mark.stays)
            if not mark.is_narrative and self.text[reached : reached + 1].isalnum():
                parts.append(" ")
        return " ".join("".join([*parts, self.text[reached:]]).split())


def sentences(block: Block) -> list[Sentence]:
    """Cut a block into sentences, each with its marks; one after a stop belongs to what it ends."""
    spans = split_sentences(block.text)
    starts = [start for start, _ in spans]
    held: list[list[Mark]] = [[] for _ in spans]
    for mark in block.marks:
        place = _sentence_of(mark, spans, starts)
        if place is not None:
            held[place].append(mark)
    return [
        Sentence(
            " ".join(block.text[start:end].split()),
            block.place(start),
            tuple(_moved(marks, block.text, start, end)),
        )
        for (start, end), marks in zip(spans, held, strict=True)
    ]


def _sentence_of(
    mark: Mark, spans: tuple[tuple[int, int], ...], starts: Sequence[int]
) -> int | None:
    """Find the sentence of a mark: the one it stands in, or the one that it follows."""
    number = max(0, bisect_left(starts, mark.start) - 1)
    if not spans or mark.start < starts[number]:
        return None
    begins_next = number + 1 < len(spans) and spans[number][1] < mark.start == starts[number + 1]
    return number + 1 if begins_next and mark.is_narrative else number


def _moved(marks: Sequence[Mark], text: str, start: int, end: int) -> Iterator[Mark]:
    """Count the marks' places in the sentence with single spaces."""
    words = [match.span() for match in _WORD.finditer(text[start:end])] if marks else []
    lengths = list(accumulate((last - first + 1 for first, last in words), initial=0))
    for mark in marks:
        reached = max(0, min(mark.start, end) - start)
        # The words that begin before the mark; the last of them may be cut by it.
        count = bisect_left(words, (reached,))
        offset = max(0, lengths[count] - 1)
        if count:
            offset -= max(0, words[count - 1][1] - reached)
        if text[start : start + reached][-1:].isspace() and mark.start < end and offset:
            offset += 1
        yield replace(mark, start=offset, stays=" ".join(mark.stays.split()))


@dataclass(slots=True)
class BlockBuilder:
    """Collects the text of a block piece by piece, with the place that each piece came from."""

    pieces: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, place: int) -> None:
        """Add text that begins at a place; each line feed in it leads to the next one."""
        for number, line in enumerate(text.split("\n")):
            piece = line if number == 0 else f" {line}"
            if piece:
                self.places.append((self.length, place + number))
                self.pieces.append(piece)
                self.length += len(piece)

    def cite(self, label: str, keys: tuple[str, ...], style: Style, stays: str = "") -> None:
        """Note a citation at the end of what was added so far; add what `stays` of it next."""
        self.marks.append(Mark(self.length, label, keys, style, stays))

    def build(self) -> Block | None:
        """Give the block, or None if it has no text."""
        text = "".join(self.pieces)
        return Block(text, tuple(self.marks), tuple(self.places)) if text.strip() else None
