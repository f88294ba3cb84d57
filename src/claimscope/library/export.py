"""Writes a library to a file: JSON lines that make it again, or RIS for reference managers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from claimscope.errors import InputError, UnknownNameError
from claimscope.library.protocol import Library
from claimscope.metadata import Place, details
from claimscope.types import Document

STANDARD_OUTPUT = "-"


def export_to(library: Library, file: str, format: str | None = None) -> int:  # noqa: A002
    """Write every document to a file, or to standard output for "-", and count them.

    Without a format the file's ending tells it. A file appears only when it is complete.
    """
    write = _writer(file, format)
    if file == STANDARD_OUTPUT:
        return _write_all(library, sys.stdout, write)
    path = Path(file).expanduser()
    temporary = path.with_name(f"{path.name}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as output:
            count = _write_all(library, output, write)
        temporary.replace(path)
    except OSError as error:
        raise InputError(
            f"Cannot write {path} ({error.strerror or error}); choose another file."
        ) from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def to_record(document: Document) -> dict[str, Any]:
    """Give a document as the JSON object of Claimscope's own format; unknown fields are left out.

    The file it came from is left out as well: it says nothing to another computer.
    """
    known = {name: value for name, value in asdict(document.meta).items() if value}
    known.pop("source", None)
    record: dict[str, Any] = {"id": document.id, "title": document.title}
    if document.abstract:
        record |= {"abstract": document.abstract, "spans": document.spans}
    return record | known


def to_json_line(document: Document) -> str:
    """Give a document as a line of JSON."""
    return json.dumps(to_record(document), ensure_ascii=False) + "\n"


def to_ris(document: Document) -> str:
    """Give a document as a RIS record, as Zotero and EndNote read it.

    What RIS has no tag for (our id, a retraction, a caution) goes into notes.
    """
    lines = (f"{tag}  - {' '.join(value.split())}" for tag, value in _ris_fields(document))
    return "\n".join(("TY  - JOUR", *lines, "ER  - ", "", ""))


def _ris_fields(document: Document) -> Iterator[tuple[str, str]]:
    meta = document.meta
    yield "TI", document.title
    yield from (("AU", author) for author in meta.authors)
    single = {
        "PY": str(meta.year or ""),
        "JO": meta.venue,
        "DO": meta.doi,
        "UR": meta.url,
        "LA": meta.language,
        "AB": document.abstract,
    }
    yield from ((tag, value) for tag, value in single.items() if value)
    if meta.pmid:
        yield from (("AN", meta.pmid), ("DB", "PubMed"))
    yield from (("M3", kind) for kind in meta.publication_types)
    yield from (("N1", note) for note in _notes(document))


def _notes(document: Document) -> Iterator[str]:
    yield f"Claimscope id: {document.id}"
    if document.meta.retracted:
        yield "Retracted publication"
    yield from (f"{label}: {value}" for label, value in details(document.meta, Place.STUDY).items())
    if document.meta.note:
        yield document.meta.note


FORMATS: dict[str, Callable[[Document], str]] = {"jsonl": to_json_line, "ris": to_ris}


def _writer(file: str, format: str | None) -> Callable[[Document], str]:  # noqa: A002
    name = (format or Path(file).suffix.lstrip(".") or "jsonl").lower()
    if name not in FORMATS:
        raise UnknownNameError("export format", name, FORMATS)
    return FORMATS[name]


def _write_all(library: Library, output: TextIO, write: Callable[[Document], str]) -> int:
    count = 0
    for document in library.documents():
        output.write(write(document))
        count += 1
    return count
