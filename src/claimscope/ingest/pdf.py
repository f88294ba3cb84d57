"""Guesses the title and abstract of a PDF; the document says of itself that they are guesses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pypdfium2 import PdfiumError

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
from claimscope.ingest.pdf_text import PdfContent, extract
from claimscope.ingest.pdf_words import readable
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata

NOTE = "Title and abstract guessed from a PDF."
_LARGEST = 200_000_000
_LONGEST_TITLE = 300
_LONGEST_ABSTRACT = 4000
_NO_TITLE = re.compile(
    r"untitled|microsoft word|\.(?:docx?|tex|dvi|indd|pdf|qxd)\b|^\S+$", re.IGNORECASE
)


def read(path: Path) -> Iterator[Item]:
    """Read one document, from the first pages."""
    if path.stat().st_size > _LARGEST:
        raise FormatError(f"The PDF is larger than {_LARGEST // 1_000_000} MB, so it was skipped.")
    yield _document(path, _content(path))


def _content(path: Path) -> PdfContent:
    try:
        return extract(path)
    except PdfiumError as error:
        reason = str(error).rstrip(".")
        if "password" in reason.lower():
            advice = "The PDF asks for a password; save a copy without one and import that."
        else:
            advice = f"The PDF cannot be read ({reason}); get a fresh copy of the file."
        raise FormatError(advice) from error


def _document(path: Path, content: PdfContent) -> Document:
    text = readable("\n".join(content.pages))
    lines = [(size, readable(line)) for size, line in content.lines]
    stated = {name: readable(value) for name, value in content.properties.items()}
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
