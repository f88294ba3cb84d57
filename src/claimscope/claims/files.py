"""Reads files of claims: CSV, TSV, JSON Lines, plain lines and Parquet, one claim at a time."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Iterator
from gzip import BadGzipFile
from io import TextIOWrapper
from pathlib import Path

from claimscope._files import open_binary
from claimscope._parquet import open_parquet
from claimscope.claims.reading import Refusal, read_lines
from claimscope.claims.tables import claim_column, id_column, read_entries, read_table
from claimscope.errors import FormatError
from claimscope.types import Claim

_COMPRESSED = (".gz", ".xz")
_ROWS = 1_000
"""Rows of a Parquet file that are in memory at once."""

Reader = Callable[[Path], Iterator[Claim | Refusal]]


def read_claims_of(path: Path) -> Iterator[Claim | Refusal]:
    """Read a file of claims; its ending says which format it has.

    A claim without an id is named after its row or line. A row that cannot be checked becomes a
    refusal, and the rest go on.
    """
    return FORMATS[format_of(path)](path)


def format_of(path: Path) -> str:
    """Give the format of a file by its ending: csv, jsonl, parquet or txt."""
    name = path.with_suffix("") if path.suffix in _COMPRESSED else path
    ending = _ENDINGS.get(name.suffix.lower())
    if ending is None:
        raise FormatError(
            f"{path.name} has no ending that names a format of claims; use one of: "
            f"{', '.join(_ENDINGS)}, also with .gz or .xz."
        )
    return ending


def _read_csv(path: Path) -> Iterator[Claim | Refusal]:
    with open_binary(path) as binary, TextIOWrapper(binary, "utf-8-sig", newline="") as text:
        try:
            yield from read_table(text)
        except UnicodeDecodeError:
            raise FormatError(f"{path.name} is not UTF-8 text; save it as UTF-8.") from None
        except (EOFError, BadGzipFile, lzma.LZMAError) as error:
            raise _damaged(path, error) from error


def _read_lines(path: Path) -> Iterator[Claim | Refusal]:
    with open_binary(path) as lines:
        try:
            yield from read_lines(lines)
        except (EOFError, BadGzipFile, lzma.LZMAError) as error:
            raise _damaged(path, error) from error


def _read_parquet(path: Path) -> Iterator[Claim | Refusal]:
    with open_parquet(path) as table:
        claim, identifier = claim_column(table.names), id_column(table.names)
        columns = [table.names[claim]] + ([] if identifier is None else [table.names[identifier]])
        rows = table.rows(columns, _ROWS)
        yield from read_entries(
            (str(row[1]) if len(row) > 1 and row[1] is not None else str(number), row[0])
            for number, row in enumerate(rows, start=1)
        )


def _damaged(path: Path, error: Exception) -> FormatError:
    return FormatError(f"{path.name} is cut off or damaged ({error}); get it again.")


FORMATS: dict[str, Reader] = {
    "csv": _read_csv,
    "jsonl": _read_lines,
    "parquet": _read_parquet,
    "txt": _read_lines,
}
_ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".txt": "txt",
    ".parquet": "parquet",
}
