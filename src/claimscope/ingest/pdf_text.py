"""Extracts the text of a PDF's first pages with PDFium.

PDFium is native code: a damaged file may stop it or make it run for ever. Imports therefore read
files in a process of its own (see `supervisor`).
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

PAGES = 2
_LONGEST = 20_000
"""Characters read of a page; a page of print has fewer than 10,000."""


@dataclass(frozen=True, slots=True)
class PdfContent:
    """The properties, the text of each page, and the first page's lines with their sizes."""

    properties: dict[str, str]
    pages: list[str]
    lines: list[tuple[float, str]]


def extract(path: Path) -> PdfContent:
    """Read the first pages."""
    with closing(pypdfium2.PdfDocument(path)) as document:
        pages = [document[number].get_textpage() for number in range(min(PAGES, len(document)))]
        return PdfContent(
            document.get_metadata_dict(),
            [page.get_text_range(0, min(page.count_chars(), _LONGEST)) for page in pages],
            _lines(pages[0]) if pages else [],
        )


def _lines(page: pypdfium2.PdfTextPage) -> list[tuple[float, str]]:
    """Give each line with the size of most of its letters."""
    lines: list[tuple[float, str]] = []
    letters: list[str] = []
    sizes: list[float] = []
    for place in range(min(page.count_chars(), _LONGEST)):
        letter = chr(pdfium.FPDFText_GetUnicode(page, place))
        if letter not in "\r\n":
            letters.append(letter)
            if letter.isalnum():
                sizes.append(_size(page, place))
        elif letters:
            lines.append((_median(sizes), "".join(letters)))
            letters, sizes = [], []
    return [*lines, (_median(sizes), "".join(letters))] if letters else lines


def _size(page: pypdfium2.PdfTextPage, place: int) -> float:
    """Give the printed size: many files set the font to 1 point and enlarge it by the matrix."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(page, place, matrix)
    scale = float((matrix.c**2 + matrix.d**2) ** 0.5)
    return round(float(pdfium.FPDFText_GetFontSize(page, place)) * (scale or 1.0), 1)


def _median(sizes: list[float]) -> float:
    return sorted(sizes)[len(sizes) // 2] if sizes else 0.0
