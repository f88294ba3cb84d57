"""Splits files of tagged lines, such as RIS and NBIB, into records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from claimscope.errors import RecordError
from claimscope.ingest.record import LINE_WEIGHT, OVERSIZE, RECORD_LIMIT, Failure, Item
from claimscope.ingest.streams import Line, open_source, read_lines
from claimscope.types import Document

TaggedLine = tuple[str, str]
"""A tag in capitals, and the value after it."""


@dataclass(slots=True)
class TaggedRecord:
    """The values of one record by tag, each as its lines."""

    line: int
    values: dict[str, list[list[str]]] = field(default_factory=dict)
    latest: list[str] | None = None
    size: int = 0

    def all(self, *tags: str) -> list[str]:
        """Give every value of these tags: all of the first tag, then all of the next."""
        joined = (" ".join(lines).strip() for tag in tags for lines in self.values.get(tag, ()))
        return [value for value in joined if value]

    def first(self, *tags: str) -> str:
        """Give the first value of the first of these tags that has one."""
        return next((value for tag in tags for value in self.all(tag)), "")

    def add(self, tag: str, value: str) -> None:
        """Begin a value."""
        if not self.is_oversize:
            self.latest = [value]
            self.values.setdefault(tag, []).append(self.latest)
            self._weigh(value)

    def extend(self, value: str) -> None:
        """Carry on the latest value with one more line."""
        if value and self.latest is not None:
            self.latest.append(value)
            self._weigh(value)

    def overflow(self) -> None:
        """Give up a record that is too large to hold."""
        self.size = RECORD_LIMIT + 1
        self.latest = None
        self.values.clear()

    @property
    def is_oversize(self) -> bool:
        """Whether the record was given up."""
        return self.size > RECORD_LIMIT

    def _weigh(self, value: str) -> None:
        self.size += len(value) + LINE_WEIGHT
        if self.is_oversize:
            self.overflow()


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a format marks its lines and its records."""

    parse: Callable[[str], TaggedLine | None]
    """Read a line's tag and value; None if it has no tag and so carries on the line before."""
    opening: str
    """The tag that begins a record, whether or not the one before was closed."""
    closing: str | None = None
    """The tag that ends a record, where there is one."""


def read_tagged(
    path: Path, grammar: Grammar, make: Callable[[TaggedRecord, str], Document]
) -> Iterator[Item]:
    """Make a document of every record; one that cannot be used is a failure."""
    with open_source(path) as source:
        for record in _records(read_lines(source), grammar):
            try:
                if record.is_oversize:
                    raise RecordError(OVERSIZE)
                yield make(record, path.name)
            except RecordError as error:
                yield Failure(str(path), record.line, str(error))


def _records(lines: Iterator[Line], grammar: Grammar) -> Iterator[TaggedRecord]:
    record: TaggedRecord | None = None
    for number, text in lines:
        tagged = grammar.parse(text) if text else None
        if tagged is not None and tagged[0] == grammar.opening and record is not None:
            yield record
            record = None
        if tagged is not None and tagged[0] == grammar.closing:
            if record is not None:
                yield record
            record = None
        elif tagged is not None:
            # A merged export may have lost the opening line; its record begins here all the same.
            record = record or TaggedRecord(number)
            record.add(*tagged)
        elif record is not None:
            if text is None:
                record.overflow()
            else:
                record.extend(text.strip())
    if record is not None:
        yield record


def longest(texts: Sequence[str]) -> str:
    """Give the longest of several versions of one text; the first, if equal."""
    return max(texts, key=len, default="")
