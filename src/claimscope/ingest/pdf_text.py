"""Extracts the text of a PDF's first pages with PDFium, and makes its words whole."""

from __future__ import annotations

import logging
import re
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

_log = logging.getLogger("claimscope.ingest")

_LIGATURES = str.maketrans(
    {
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\ufb05": "st",
        "\ufb06": "st",
    }
)
# PDFium writes U+FFFE for a hyphen at a line's end and leaves the line's end out.
_DIVIDED = re.compile(
    r"(?<!\w)(?P<first>\w+)(?P<mark>\ufffe|\x02|\u00ad|[-\u2010])"
    r"(?P<end>[ \t]*\r?\n[ \t]*)?(?P<second>\w+)"
)
_HYPHENATED = re.compile(r"(?<![^\W\d_])[^\W\d_]+-[^\W\d_]+")
_COMPOUND = frozenset(
    """
    age cross dose double evidence follow half high long low placebo self short single well
    """.split()
)
"""First parts that nearly always keep their hyphen, as in "well-known"."""


def readable(text: str) -> str:
    """Give printed text as its author wrote it: one who searches for a word then finds it.

    A hyphen at a line's end stays if the text has the word with a hyphen elsewhere, after a first
    part that is mostly hyphenated, and beside capitals and digits. Other lines keep their ends.
    """
    text = text.translate(_LIGATURES)
    hyphenated = {word.lower() for word in _HYPHENATED.findall(text)}

    def whole(match: re.Match[str]) -> str:
        first, mark, end, second = match.group("first", "mark", "end", "second")
        if mark == "\u00ad":
            return first + second
        if mark in "-\u2010" and end is None:
            return match[0]
        keeps = (
            f"{first}-{second}".lower() in hyphenated
            or first.lower() in _COMPOUND
            or not (first[-1].islower() and second[0].islower())
        )
        return f"{first}-{second}" if keeps else first + second

    return _DIVIDED.sub(whole, text).replace("\u00ad", "").replace("\r\n", "\n")


FRONT_PAGES = 2
"""Pages on which title and abstract are looked for."""
MOST_PAGES = 500
"""Pages that are read; of a longer file the rest is not."""
_SECONDS = 15.0
"""Computing time after which no further page is read; half of what a record may take."""
_LONGEST = 20_000
"""Characters read of a page; a page of print has fewer than 10,000."""


@dataclass(frozen=True, slots=True)
class PdfContent:
    """The properties, the text of each page, and the first page's lines with their sizes."""

    properties: dict[str, str]
    pages: list[str]
    lines: list[tuple[float, str]]
    count: int
    """How many pages the file has."""


def extract(path: Path) -> PdfContent:
    """Read the pages, as many as the limits allow."""
    until = time.process_time() + _SECONDS
    pages: list[str] = []
    lines: list[tuple[float, str]] = []
    with closing(pypdfium2.PdfDocument(path)) as document:
        count = len(document)
        for number in range(min(count, MOST_PAGES)):
            if number >= FRONT_PAGES and time.process_time() > until:
                break
            try:
                pages.append(_page(document, number, lines))
            except pypdfium2.PdfiumError as error:
                if number < FRONT_PAGES:
                    raise
                _log.debug("%s: page %d cannot be read", path, number + 1, exc_info=error)
                pages.append("")
        return PdfContent(document.get_metadata_dict(), pages, lines, count)


def _page(document: pypdfium2.PdfDocument, number: int, lines: list[tuple[float, str]]) -> str:
    """Give the text of a page, and of the first page the lines."""
    with closing(document[number]) as page, closing(page.get_textpage()) as text:
        if number == 0:
            lines += _lines(text)
        return str(text.get_text_range(0, min(text.count_chars(), _LONGEST)))


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
