"""Reading the field's files: JSON lines that name their place when they are wrong."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from claimscope._files import decode_line, numbered_lines, open_binary
from claimscope.errors import ClaimscopeError, FormatError, MissingDataError
from claimscope.labels import Label
from claimscope.types import Document, Metadata

_Record = TypeVar("_Record")
_LONGEST_CELL = 10_000_000


def find_file(folder: Path, *names: str) -> Path | None:
    """Find the first of these files, plain or compressed."""
    for name in names:
        for ending in ("", ".gz", ".xz"):
            path = folder / f"{name}{ending}"
            if path.is_file():
                return path
    return None


def need_file(folder: Path, *names: str) -> Path:
    """Find the first of these files or say what is missing."""
    path = find_file(folder, *names)
    if path is None:
        raise MissingDataError(
            f"{' or '.join(names)} is not in {folder}; download the data set with "
            "'claimscope data get', or put the file there."
        )
    return path


def read_json_lines(path: Path, read: Callable[[Any], _Record]) -> Iterator[_Record]:
    """Read a record from every line; one that does not fit is an error with file and line."""
    for number, line in numbered_lines(path):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise FormatError(
                f"{path.name}, line {number} is not JSON ({error.msg}); get the file again."
            ) from error
        try:
            yield read(record)
        except (KeyError, TypeError, ValueError, AttributeError, ClaimscopeError) as error:
            raise FormatError(
                f"{path.name}, line {number} does not have the form of this data set "
                f"({_reason(error)}); check that it is the right file."
            ) from error


def _reason(error: Exception) -> str:
    return f"no field {error}" if isinstance(error, KeyError) else str(error).rstrip(".")


def read_json_object(path: Path) -> dict[str, Any]:
    """Read a file that is one JSON object."""
    with open_binary(path) as file:
        try:
            value = json.load(file)
        except ValueError as error:
            raise FormatError(f"{path.name} is not JSON ({error}); get the file again.") from error
    if not isinstance(value, dict):
        raise FormatError(f"{path.name} is not one JSON object; check that it is the right file.")
    return value


def read_table(
    path: Path, delimiter: str, read: Callable[[Mapping[str, str]], _Record]
) -> Iterator[_Record]:
    """Read a record from every row of a table with a header; quoted cells may hold line breaks."""
    rows = csv.DictReader(_text_lines(path), delimiter=delimiter)
    try:
        while (row := _next_row(rows)) is not None:
            yield read({key: value or "" for key, value in row.items() if key})
    except (csv.Error, KeyError, ClaimscopeError) as error:
        raise FormatError(
            f"{path.name}, line {rows.line_num} does not have the form of this data set "
            f"({_reason(error)}); check that it is the right file."
        ) from error


def _next_row(rows: csv.DictReader[str]) -> dict[str, str] | None:
    """Read a row whose cells may be longer than the module's limit, as PubHealth's articles are.

    The limit is one for the whole process, so it is raised for this row only.
    """
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        return next(rows, None)
    finally:
        csv.field_size_limit(before)


def _text_lines(path: Path) -> Iterator[str]:
    """Give all lines as they are, blank ones too, since they may be inside a cell."""
    with open_binary(path) as file:
        for number, raw in enumerate(file, 1):
            yield decode_line(path, number, raw)


def parse_label(spelling: object) -> Label:
    """Read a label; numbers are refused, since their order is documented wrongly in places."""
    if not isinstance(spelling, str):
        raise FormatError(f"label {spelling!r} is not a word")
    return Label.parse(spelling)


def document_of(
    name: object, title: str, sentences: Sequence[str], meta: Metadata | None = None
) -> Document:
    """Make a document from its sentences, joined by single spaces."""
    spans = []
    start = 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + 1
    return Document(str(name), title, " ".join(sentences), tuple(spans), meta or Metadata())


def unique(documents: Iterable[Document]) -> Iterator[Document]:
    """Give every document once; a file that pairs claims with documents repeats them."""
    seen: set[str] = set()
    for document in documents:
        if document.id not in seen:
            seen.add(document.id)
            yield document


_SPELLINGS = (
    *zip(("-LRB-", "-RRB-", "-LSB-", "-RSB-"), "()[]", strict=True),
    ("``", '"'),
    ("''", '"'),
)


def tidy(text: str) -> str:
    """Write brackets and quotes as usual, and one space between words."""
    for spelling, sign in _SPELLINGS:
        text = text.replace(spelling, sign)
    return " ".join(text.split())
