"""Extracts the text of a PDF's first pages with PDFium, as a program of its own.

PDFium is native code: a damaged file may stop it or make it run for ever, which must not happen to
the process that imports. Run as `python pdf_text.py FILE`; prints one JSON object.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

PAGES = 2
_LONGEST = 20_000
"""Characters read of a page; a page of print has fewer than 10,000."""


def extract(path: str) -> dict[str, Any]:
    """Give the properties, the text of each page, and the first page's lines with their sizes."""
    document = pypdfium2.PdfDocument(path)
    pages = [document[number].get_textpage() for number in range(min(PAGES, len(document)))]
    return {
        "properties": document.get_metadata_dict(),
        "pages": [page.get_text_range(0, min(page.count_chars(), _LONGEST)) for page in pages],
        "lines": _lines(pages[0]) if pages else [],
    }


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


def main() -> None:
    """Print the text of one file, or why there is none."""
    try:
        result = extract(sys.argv[1])
    except pypdfium2.PdfiumError as error:
        result = {"error": str(error)}
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
