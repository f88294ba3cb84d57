"""Reads Excel workbooks: every sheet whose first rows name known columns."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from claimscope.errors import FormatError, RecordError
from claimscope.ingest.columns import Columns, find_columns, row_to_document
from claimscope.ingest.record import Failure, Item
from claimscope.ingest.streams import CHUNK, EXPANSION_RATIO
from claimscope.ingest.table import NO_HEADER

_EXPANDED_LIMIT = 256 * CHUNK
_EXPANSION_FREE = 16 * CHUNK
_MOST_ROWS, _MOST_COLUMNS = 1_048_576, 256
_HEADER_WITHIN = 10
# What openpyxl raises on workbooks that no spreadsheet program wrote.
_DAMAGE = (
    ArithmeticError,
    AttributeError,
    EOFError,
    InvalidFileException,
    LookupError,
    OSError,
    RecursionError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


def read(path: Path) -> Iterator[Item]:
    """Read every row below the header of every sheet that has one."""
    found = False
    try:
        _refuse_bombs(path)
        # Given a name, openpyxl would judge the file by its ending.
        with path.open("rb") as file:
            workbook = load_workbook(file, read_only=True, data_only=True, keep_links=False)
            for sheet in workbook.worksheets:
                rows = sheet.iter_rows(max_row=_MOST_ROWS, max_col=_MOST_COLUMNS, values_only=True)
                for item in _documents(path, rows):
                    found = True
                    yield item
    except _DAMAGE as error:
        raise FormatError(f"The workbook is damaged ({type(error).__name__}: {error}).") from error
    if not found:
        raise FormatError(NO_HEADER)


def _refuse_bombs(path: Path) -> None:
    """Refuse a workbook that expands absurdly, or whose XML declares a document type."""
    with zipfile.ZipFile(path) as archive:
        expanded = sum(entry.file_size for entry in archive.infolist())
        allowed = max(_EXPANSION_FREE, EXPANSION_RATIO * path.stat().st_size)
        if expanded > min(allowed, _EXPANDED_LIMIT):
            raise FormatError(
                f"The workbook expands to {expanded // CHUNK} MB, more than a list of papers needs;"
                " save the list as CSV."
            )
        for entry in archive.infolist():
            if entry.filename.endswith((".xml", ".rels")) and _declares_type(archive, entry):
                raise FormatError(
                    "The workbook's XML declares entities, so it is refused as unsafe."
                )


def _declares_type(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    tail = b""
    with archive.open(entry) as file:
        while chunk := file.read(CHUNK):
            if b"<!DOCTYPE" in tail + chunk or b"<!ENTITY" in tail + chunk:
                return True
            tail = chunk[-16:]
    return False


def _documents(path: Path, rows: Iterator[tuple[Any, ...]]) -> Iterator[Item]:
    columns: Columns | None = None
    for number, row in enumerate(rows, start=1):
        if not any(row):
            continue
        cells = [_text(cell) for cell in row]
        if columns is None:
            if number > _HEADER_WITHIN:
                return
            columns = find_columns(cells)
        else:
            try:
                yield row_to_document(cells, columns, path.name)
            except RecordError as error:
                yield Failure(str(path), number, str(error))


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, date | datetime):
        return cell.isoformat()
    return str(cell)
