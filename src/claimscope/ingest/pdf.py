"""Guesses the title and abstract of a PDF; the document says of itself that they are guesses."""

from __future__ import annotations

import logging
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError

from claimscope.errors import FormatError, RecordError
from claimscope.identifiers import find_doi
from claimscope.ingest.assemble import assemble
from claimscope.ingest.cleaning import clean_text
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata

NOTE = "Title and abstract guessed from a PDF."
_LARGEST = 200_000_000
_PAGES = 2
_LONGEST_TITLE = 300
_LONGEST_ABSTRACT = 4000
_LONGEST_TEXT = 40_000
# "Abstract" heads an abstract if it stands alone, or if prose follows: not "Abstract Algebra".
_ABSTRACT = re.compile(
    r"^[^\w\n]*(?i:a ?b ?s ?t ?r ?a ?c ?t|summary)(?:\s*[:.—–-]|[ \t]*$|\s+(?=\w+\s+[a-z]))\s*(.*?)"
    r"(?=^[^\w\n]*(?i:(?:[1I][. ]{0,3})?introduction|key ?words?|index terms|1\.? +[a-z])|\Z)",
    re.MULTILINE | re.DOTALL,
)
_HYPHENATED = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
_NO_TITLE = re.compile(
    r"untitled|microsoft word|\.(?:docx?|tex|dvi|indd|pdf|qxd)\b|^\S+$", re.IGNORECASE
)
# What pypdf raises on files that no PDF writer wrote.
_DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    PyPdfError,
    RecursionError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)

# The parser logs every oddity of a file; what matters is reported as a failure here.
logging.getLogger("pypdf").addHandler(logging.NullHandler())


def read(path: Path) -> Iterator[Item]:
    """Read one document, from the first pages."""
    if path.stat().st_size > _LARGEST:
        raise FormatError(f"The PDF is larger than {_LARGEST // 1_000_000} MB, so it was skipped.")
    try:
        with PdfReader(path) as reader:
            pages = list(reader.pages[:_PAGES])
            text = "\n".join(page.extract_text() for page in pages)[:_LONGEST_TEXT]
            title = _stated_title(reader) or (_largest_print(pages[0]) if pages else "")
    except DependencyError as error:
        raise FormatError(
            f"The PDF is encrypted, and to decrypt it a package is missing ({error});"
            " install it, or save the PDF without encryption."
        ) from error
    except FileNotDecryptedError as error:
        raise FormatError(
            "The PDF asks for a password; save it without one and add it again."
        ) from error
    except _DAMAGE as error:
        raise FormatError(f"The PDF cannot be read ({type(error).__name__}: {error}).") from error
    yield _document(path, title, text)


def _document(path: Path, title: str, text: str) -> Document:
    match = _ABSTRACT.search(text)
    abstract = match[1][:_LONGEST_ABSTRACT] if match else ""
    if not title.strip() and not abstract.strip():
        raise FormatError("The PDF holds no text to read; it may be a scan: run OCR on it first.")
    meta = Metadata(doi=find_doi(text), note=NOTE, source=path.name)
    try:
        return assemble(meta, title[:_LONGEST_TITLE], _HYPHENATED.sub("", abstract))
    except RecordError as error:
        raise FormatError(str(error)) from None


def _stated_title(reader: PdfReader) -> str:
    """Give the title in the file's properties, unless a word processor made it up."""
    stated = reader.metadata.title if reader.metadata is not None else None
    title = clean_text(str(stated or ""))
    return "" if _NO_TITLE.search(title) else title


def _largest_print(page: PageObject) -> str:
    """Give the first run of text in the page's largest print."""
    runs: list[tuple[float, str]] = []

    def visit(text: str, _user: object, matrix: list[float], _font: object, size: float) -> None:
        if text.strip():
            runs.append((round(abs(size * (matrix[3] or matrix[1] or 1.0)), 1), text))

    page.extract_text(visitor_text=visit)
    # A single large letter is a decorated initial, not a title.
    sizes = [size for size, text in runs if len(text.strip()) > 3]
    if not sizes:
        return ""
    largest = max(sizes)
    return clean_text(" ".join(text for size, text in runs if size == largest))
