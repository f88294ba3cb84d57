"""Reads the text of a PDF with PDFium; numbered citations, or authors with years, and the list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pypdfium2
from pypdfium2 import PdfiumError

from claimscope.audit.citations import extract
from claimscope.audit.manuscript import Block, BlockBuilder, Manuscript
from claimscope.audit.references import Entry, is_heading, parse_entries
from claimscope.errors import FormatError
from claimscope.ingest.pdf_text import readable

_MOST_PAGES = 300
_LONGEST_PAGE = 40_000
_NUMBERED_ENTRY = re.compile(r"^\s*(?:\[\d{1,4}\]|\d{1,4}\.)\s+\S")
_NAMED_ENTRY = re.compile(r"^[^\W\d_][\w’'-]+(?:\s[^\W\d_][\w’'-]+)?,?\s(?:[A-Z]\.?\s?){1,4}\b")
_NO_PROSE = re.compile(r"^\s*(?:\d{1,4}|page \d+.*|(?:fig(?:ure)?|table)\.?\s?\d+.*)\s*$", re.I)
_SHORT = 0.75
"""A line below this share of a page's usual length that ends a sentence ends a paragraph."""

Line = tuple[int, str]
"""A page's number and a line on it."""


def read(path: Path) -> Manuscript:
    """Read all pages; places are pages, and lines are joined to paragraphs by their lengths."""
    lines = list(_lines(path))
    if not any(text.strip() for _, text in lines):
        raise FormatError(f"{path} holds no text, only pictures; recognise its text first.")
    head = _references_at(lines)
    body, listed = lines[:head], lines[head + 1 :]
    blocks = tuple(extract(block) for block in _blocks(body))
    entries = parse_entries(_entries([text for _, text in listed]))
    return Manuscript(path.name, blocks, entries, place_name="page")


def _lines(path: Path) -> Iterator[Line]:
    try:
        with closing(pypdfium2.PdfDocument(path)) as document:
            for number in range(min(len(document), _MOST_PAGES)):
                page = document[number].get_textpage()
                text = page.get_text_range(0, min(page.count_chars(), _LONGEST_PAGE))
                yield from ((number + 1, line) for line in readable(text).split("\n"))
    except PdfiumError as error:
        raise FormatError(f"{path} cannot be read as PDF ({error}); save it again.") from None


def _references_at(lines: Sequence[Line]) -> int:
    """Give the place of the last heading of a list of references; without one, the end."""
    found = [
        place
        for place, (_, text) in enumerate(lines)
        if len(text) < 40 and is_heading(text.strip())
    ]
    return found[-1] if found else len(lines)


def _blocks(lines: Sequence[Line]) -> Iterator[Block]:
    lengths = sorted(len(text.strip()) for _, text in lines if text.strip())
    usual = lengths[int(len(lengths) * 0.75)] if lengths else 0
    builder = BlockBuilder()
    for page, text in lines:
        line = text.strip()
        if line and not _NO_PROSE.match(line):
            builder.add(f"{line} ", page)
        ends = line.endswith((".", "?", "!", ":")) and len(line) < _SHORT * usual
        if (not line or ends) and (block := builder.build()):
            yield block
            builder = BlockBuilder()
    if block := builder.build():
        yield block


def _entries(lines: Sequence[str]) -> Iterator[Entry]:
    """Join the lines of each entry: one begins with a number, or else with a name."""
    is_numbered = sum(map(bool, map(_NUMBERED_ENTRY.match, lines))) >= 2
    begins = _NUMBERED_ENTRY if is_numbered else _NAMED_ENTRY
    entry: list[str] = []
    for line in (line.strip() for line in lines):
        if begins.match(line) and entry:
            yield Entry("", " ".join(entry))
            entry = []
        if line:
            entry.append(line)
    if entry:
        yield Entry("", " ".join(entry))
