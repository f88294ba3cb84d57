"""Writes a library to a file, in the format that the file's ending names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TextIO

from claimscope.errors import InputError, UnknownNameError
from claimscope.library.protocol import Library
from claimscope.library.writers import bibtex, csl_json, endnote_xml, json_lines, ris, table
from claimscope.types import Document

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format: the ending of its files, and how documents are written."""

    ending: str
    write: Callable[[Iterable[Document]], Iterator[str]]


FORMATS = MappingProxyType(
    {
        "jsonl": ExportFormat("jsonl", json_lines.write),
        "ris": ExportFormat("ris", ris.write),
        "bibtex": ExportFormat("bib", bibtex.write),
        "csl-json": ExportFormat("json", csl_json.write),
        "csv": ExportFormat("csv", table.write),
        "endnote-xml": ExportFormat("xml", endnote_xml.write),
    }
)
"""The formats by name."""

_ENDINGS = {each.ending: each for each in FORMATS.values()}


def export_to(library: Library, file: str, format: str | None = None) -> int:  # noqa: A002
    """Write every document to a file, or to standard output for "-", and count them.

    Without a format the file's ending tells it. A file appears only when it is complete.
    """
    chosen = _choose(file, format)
    if file == STANDARD_OUTPUT:
        return _write_all(library, sys.stdout, chosen)
    path = Path(file).expanduser()
    temporary = path.with_name(f"{path.name}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="") as output:
            count = _write_all(library, output, chosen)
        temporary.replace(path)
    except OSError as error:
        raise InputError(
            f"Cannot write {path} ({error.strerror or error}); choose another file."
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def _choose(file: str, name: str | None) -> ExportFormat:
    if name is not None:
        if name.lower() not in FORMATS:
            raise UnknownNameError("export format", name, FORMATS)
        return FORMATS[name.lower()]
    ending = Path(file).suffix.lstrip(".").lower() or "jsonl"
    if ending not in _ENDINGS:
        endings = ", ".join(f".{known}" for known in _ENDINGS)
        raise InputError(
            f"The ending of {file!r} is no format that a library is written in; use one of "
            f"{endings}, or name the format with --format."
        )
    return _ENDINGS[ending]


def _write_all(library: Library, output: TextIO, chosen: ExportFormat) -> int:
    count = 0

    def counted() -> Iterator[Document]:
        nonlocal count
        for document in library.documents():
            count += 1
            yield document

    for piece in chosen.write(counted()):
        output.write(piece)
    return count
