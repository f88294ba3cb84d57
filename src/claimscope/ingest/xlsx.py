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

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, iterparse
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from claimscope.errors import FormatError, RecordError
from claimscope.ingest.record import Failure, Item
from claimscope.ingest.streams import CHUNK
from claimscope.ingest.table import NO_HEADER, Columns, find_columns, row_to_document

_EXPANDED_LIMIT = 256 * CHUNK
# A megabyte of empty elements takes some 2 seconds and 80 MB; lists of papers expand 5 to 60 times.
_EXPANSION_FREE = 2 * CHUNK
_EXPANSION_RATIO = 100
# openpyxl takes some 4 microseconds for an element, also for one of four bytes.
_ELEMENTS_FREE = 400_000
_ELEMENTS_PER_MEGABYTE = 500_000
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
        raise FormatError(f"The workbook is damaged ({_words(error)}).") from error
    if not found:
        raise FormatError(NO_HEADER)


def _words(error: Exception) -> str:
    """Give what went wrong; openpyxl wraps it in a text of three lines with the file's path."""
    cause = error.__cause__ or error
    return " ".join(f"{type(cause).__name__}: {cause}".split())[:200]


def _refuse_bombs(path: Path) -> None:
    """Refuse a workbook that expands absurdly, or whose XML declares a document type."""
    with zipfile.ZipFile(path) as archive:
        expanded = sum(entry.file_size for entry in archive.infolist())
        allowed = max(_EXPANSION_FREE, _EXPANSION_RATIO * path.stat().st_size)
        if expanded > min(allowed, _EXPANDED_LIMIT):
            raise FormatError(
                f"The workbook expands to {expanded // CHUNK} MB, more than a list of papers needs;"
                " save the list as CSV."
            )
        _check_elements(archive, path)
        for entry in archive.infolist():
            if _declares_type(archive, entry):
                raise FormatError(
                    f"The workbook's part {entry.filename[:100]} declares a document type or"
                    " entities, so the workbook is refused as unsafe."
                )


def _check_elements(archive: zipfile.ZipFile, path: Path) -> None:
    """Refuse a workbook of many more elements than a file of its size needs."""
    most = _ELEMENTS_FREE + _ELEMENTS_PER_MEGABYTE * path.stat().st_size // CHUNK
    elements = 0
    for entry in archive.infolist():
        with archive.open(entry) as part:
            while chunk := part.read(CHUNK):
                elements += chunk.count(b"<")
                if elements > 2 * most:
                    raise FormatError(
                        f"The workbook has more than {most:,} elements, more than a list of papers"
                        " of its size needs; save the list as CSV."
                    )


def _declares_type(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    """Parse a part up to its first element, in whatever encoding; what is no XML declares none."""
    try:
        with archive.open(entry) as part:
            next(iterparse(part, events=("start",), forbid_dtd=True), None)
    except DefusedXmlException:
        return True
    except ParseError:
        return False
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
