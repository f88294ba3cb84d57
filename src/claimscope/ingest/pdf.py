"""Guesses the title and abstract of a PDF; the document says of itself that they are guesses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope._identifiers import find_doi, find_year
from claimscope.errors import FormatError, RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.cleaning import clean_text
from claimscope.ingest.pdf_front import (
    find_abstract,
    find_authors,
    find_front_year,
    largest_print,
    split_names,
)
from claimscope.ingest.pdf_words import readable
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata

NOTE = "Title and abstract guessed from a PDF."
_EXTRACTOR = Path(__file__).with_name("pdf_text.py")
_LARGEST = 200_000_000
_SECONDS = 30.0
_LONGEST_TITLE = 300
_LONGEST_ABSTRACT = 4000
_NO_TITLE = re.compile(
    r"untitled|microsoft word|\.(?:docx?|tex|dvi|indd|pdf|qxd)\b|^\S+$", re.IGNORECASE
)


def read(path: Path) -> Iterator[Item]:
    """Read one document, from the first pages."""
    if path.stat().st_size > _LARGEST:
        raise FormatError(f"The PDF is larger than {_LARGEST // 1_000_000} MB, so it was skipped.")
    yield _document(path, _extract(path))


def _extract(path: Path) -> dict[str, Any]:
    """Run `pdf_text` on a file, with a limit of time."""
    command = [sys.executable, "-P", str(_EXTRACTOR), str(path.absolute())]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise FormatError(
            f"The PDF was not read within {_SECONDS:g} seconds, so it was skipped."
        ) from None
    if done.returncode != 0:
        raise FormatError("The PDF cannot be read; it is damaged: get a fresh copy of the file.")
    content: dict[str, Any] = json.loads(done.stdout)
    if "error" in content:
        raise FormatError(_explain(content["error"]))
    return content


def _explain(error: str) -> str:
    if "password" in error.lower():
        return "The PDF asks for a password; save a copy without one and import that."
    return f"The PDF cannot be read ({error.rstrip('.')}); get a fresh copy of the file."


def _document(path: Path, content: dict[str, Any]) -> Document:
    text = readable("\n".join(content["pages"]))
    lines = [(size, readable(line)) for size, line in content["lines"]]
    stated = {name: readable(value) for name, value in content["properties"].items()}
    title = _stated_title(stated) or clean_text(largest_print(lines))
    abstract = find_abstract(text)[:_LONGEST_ABSTRACT]
    if not title and not abstract:
        raise FormatError("The PDF holds no text to read; it may be a scan: run OCR on it first.")
    meta = Metadata(
        doi=find_doi(text),
        year=find_front_year(text)
        or find_year(stated.get("CreationDate", "").removeprefix("D:")[:4]),
        authors=split_names(stated.get("Author", "")) or find_authors(lines),
        note=NOTE,
        source=path.name,
    )
    try:
        return assemble(meta, title[:_LONGEST_TITLE], abstract)
    except RecordError as error:
        raise FormatError(str(error)) from None


def _stated_title(stated: dict[str, str]) -> str:
    """Give the title in the file's properties, unless a word processor made it up."""
    title = clean_text(stated.get("Title", ""))
    return "" if _NO_TITLE.search(title) else title
