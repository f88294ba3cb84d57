"""Reads CSV and TSV tables, whatever their delimiter, with quoted line breaks."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from claimscope.errors import FormatError, RecordError
from claimscope.ingest.columns import Columns, find_columns, row_to_document
from claimscope.ingest.decoding import Line, read_lines
from claimscope.ingest.record import OVERSIZE, Failure, Item
from claimscope.ingest.streams import open_source

_DELIMITERS = (",", ";", "\t", "|")
_HEADER_WITHIN = 10
"""Rows in which a header is looked for; some exports put a heading or "sep=;" before it."""

NO_HEADER = (
    "The table's first rows name no column for the title or the abstract;"
    " add a header row with names such as title, abstract, doi and year."
)


def read(path: Path) -> Iterator[Item]:
    """Read every row below the header."""
    with open_source(path) as source:
        lines = read_lines(source)
        first = list(islice(lines, _HEADER_WITHIN))
        delimiter, known = sniff([text or "" for _, text in first])
        if not known:
            raise FormatError(NO_HEADER)
        yield from _rows(path, chain(first, lines), delimiter)


def sniff(lines: Sequence[str]) -> tuple[str, int]:
    """Give the delimiter under which one of the first rows names most columns, and how many."""
    best, most = _DELIMITERS[0], 0
    for delimiter in _DELIMITERS:
        for row in _head_rows(lines[:_HEADER_WITHIN], delimiter):
            columns = find_columns(row)
            if columns is not None and len(columns) > most:
                best, most = delimiter, len(columns)
    return best, most


def _head_rows(lines: Sequence[str], delimiter: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader([f"{line}\n" for line in lines], delimiter=delimiter)
    except csv.Error:
        return


class _Feed:
    """Gives lines to the csv module, and keeps aside the numbers of those too long to load."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self.number = 0
        self.oversize: list[int] = []

    def __iter__(self) -> Iterator[str]:
        for number, text in self._lines:
            self.number = number
            if text is None:
                self.oversize.append(number)
            else:
                yield f"{text}\n"


def _rows(path: Path, lines: Iterator[Line], delimiter: str) -> Iterator[Item]:
    feed = _Feed(lines)
    reader = csv.reader(feed, delimiter=delimiter)
    columns: Columns | None = None
    width = 0
    while True:
        line = feed.number + 1
        try:
            row = next(reader)
            if columns is None:
                columns, width = find_columns(row), len(row)
            elif any(cell.strip() for cell in row):
                _check_width(row, width)
                yield row_to_document(row, columns, path.name)
        except StopIteration:
            break
        except csv.Error as error:
            yield Failure(str(path), line, f"The row cannot be read ({error}); check its quotes.")
        except RecordError as error:
            yield Failure(str(path), line, str(error))
        for number in feed.oversize:
            yield Failure(str(path), number, OVERSIZE)
        feed.oversize.clear()


def _check_width(row: Sequence[str], width: int) -> None:
    extra = [cell for cell in row[width:] if cell.strip()]
    if extra:
        raise RecordError(
            f"The row has {len(row)} cells where the header has {width};"
            " put quotation marks around cells that hold the delimiter."
        )
