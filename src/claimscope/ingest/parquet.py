"""Reads Parquet: a table with known columns, or what `claimscope library embed` writes.

The latter has a column `record` with the JSON object of Claimscope's own format in each row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from claimscope._parquet import open_parquet
from claimscope.errors import FormatError, RecordError
from claimscope.ingest.jsonl import read_document
from claimscope.ingest.record import RECORD_LIMIT, Failure, Item
from claimscope.ingest.table import NO_HEADER, find_columns, row_to_document
from claimscope.types import Document

RECORD = "record"
_ROWS = 500


def read(path: Path) -> Iterator[Item]:
    """Read every row."""
    with open_parquet(path) as table:
        names = [RECORD] if RECORD in table.names else list(table.names)
        make = _from_record if RECORD in table.names else _from_columns(names)
        for number, row in enumerate(table.rows(names, _ROWS), start=1):
            try:
                yield make(row, path.name)
            except RecordError as error:
                yield Failure(str(path), number, str(error))


def _from_record(row: Sequence[Any], source: str) -> Document:
    text = row[0]
    if not isinstance(text, str) or len(text) > RECORD_LIMIT:
        raise RecordError("The column 'record' must hold a JSON object of less than 10 MB.")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise RecordError("The column 'record' must hold a JSON object.")
    return read_document(record, source)


def _from_columns(names: Sequence[str]) -> Callable[[Sequence[Any], str], Document]:
    columns = find_columns(names)
    if columns is None:
        raise FormatError(NO_HEADER)
    return lambda row, source: row_to_document([_text(cell) for cell in row], columns, source)


def _text(cell: Any) -> str:
    """Give a cell as a table of text would hold it; a list is one of names or types."""
    if isinstance(cell, list):
        return "; ".join(map(_text, cell))
    return "" if cell is None else str(cell)
