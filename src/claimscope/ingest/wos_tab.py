"""Reads the tab-delimited tables of Web of Science, whose quotation marks are plain text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope.errors import FormatError, RecordError
from claimscope.ingest.record import OVERSIZE, Failure, Item
from claimscope.ingest.streams import open_source, read_lines
from claimscope.ingest.wos import AUTHORS, make_document
from claimscope.types import Document

_NO_HEADER = (
    "The first line does not name the columns PT and TI, which every tab-delimited export of "
    "Web of Science begins with."
)


def read(path: Path) -> Iterator[Item]:
    """Read every row below the header."""
    with open_source(path) as source:
        lines = read_lines(source)
        header = (next(lines, (0, ""))[1] or "").strip().split("\t")
        if not {"PT", "TI"} <= set(header):
            raise FormatError(_NO_HEADER)
        for number, line in lines:
            if line is None:
                yield Failure(str(path), number, OVERSIZE)
            elif line.strip():
                try:
                    yield _from_cells(line, header, path.name)
                except RecordError as error:
                    yield Failure(str(path), number, str(error))


def _from_cells(line: str, header: list[str], source: str) -> Document:
    cells = line.split("\t")
    if any(cell.strip() for cell in cells[len(header) :]):
        raise RecordError(
            f"The row has {len(cells)} cells where the header has {len(header)}; export it again."
        )
    known = dict(zip(header, map(str.strip, cells), strict=False))

    def values(tag: str) -> list[str]:
        text = known.get(tag, "")
        several = text.split("; ") if tag in AUTHORS else [text]
        return [value for value in several if value]

    return make_document(values, source)
