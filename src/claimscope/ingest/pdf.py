"""Guesses title, authors, year and abstract of a PDF; the document says they are guesses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pypdfium2 import PdfiumError

from claimscope._identifiers import find_doi, find_year
from claimscope.errors import FormatError, RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.cleaning import clean_text
from claimscope.ingest.full_text import make_body
from claimscope.ingest.pdf_sections import find_sections
from claimscope.ingest.pdf_text import FRONT_PAGES, PdfContent, extract, readable
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata

Line = tuple[float, str]
"""A printed line with its size."""

# "Abstract" heads an abstract if it stands alone, or if prose follows: not "Abstract Algebra".
_HEADING = re.compile(
    r"^[^\w\n]*(?i:a ?b ?s ?t ?r ?a ?c ?t|summary)(?:\s*[:.—–-]|[ \t]*$|\s+(?=\w+\s+[a-z]))\s*",
    re.MULTILINE,
)
_NEXT = re.compile(
    r"""
    ^[^\w\n]*(?i:
        (?:[1I]\b[. ]{0,3})?introduction\b
      | (?:table[ ]of[ ])?c[ ]?o[ ]?n[ ]?t[ ]?e[ ]?n[ ]?t[ ]?s[ \t]*$
      | (?:additional[ ])?key[ ]?words?\b | index[ ]terms\b | ccs[ ]concepts\b | pacs[ ]numbers?\b
      | (?:acm[ ]reference[ ]format | categories[ ]and[ ]subject | jel[ ]classif | msc[ ]?\d{4})
    )
    | ^[ \t]*(?:1\.?|I\.)[ \t]+[A-Z]                     # the first section, whatever its name
    | (?<=[.!?])[ \t]+(?:Key[ ]?words|KEY[ ]?WORDS|Index[ ]Terms)\b[ \t]*[:.—–-]
    """,
    re.MULTILINE | re.VERBOSE,
)
_MARKS = re.compile(r"(?<=[^\W\d_])[\d*†‡§¶∗⋆]+(?:,[\d*†‡§¶∗⋆]+)*|[*†‡§¶∗⋆]")
_PAGE_NUMBER = re.compile(r"(?:\n[ \t]*\d{1,3}[ \t]*)+\Z")
_NAME_PART = re.compile(r"[^\W\d_](?:[^\W\d_]|['’.-])*\Z")
_PARTICLES = frozenset("von van der den de da di dos du del la le el al bin ibn y zu ter".split())
_BETWEEN_NAMES = re.compile(r"\s*(?:,?\s+(?:and|&)\s+|[;,])\s*")
_NOT_NAMES = re.compile(
    r"\b(?:universit|institut|department|school|college|journal|abstract|collaboration|version|"
    r"manual|guide|package|laborator|hospital|introduction|contents|center|centre|society|"
    r"association|copyright|germany|usa\b)",
    re.IGNORECASE,
)
_LINES_OF_AUTHORS = 6


def find_abstract(text: str) -> str:
    """Give what stands between the word "Abstract" and the next heading."""
    heading = _HEADING.search(text)
    if heading is None:
        return ""
    following = _NEXT.search(text, heading.end())
    abstract = text[heading.end() : following.start() if following else len(text)].strip()
    return _PAGE_NUMBER.sub("", abstract)


def largest_print(lines: Sequence[Line]) -> str:
    """Give the lines in the page's largest print."""
    # A single large letter is a decorated initial, not a title.
    sizes = [size for size, text in lines if len(text.strip()) > 3]
    largest = max(sizes, default=0.0)
    return " ".join(text for size, text in lines if size == largest and text.strip())


def find_authors(lines: Sequence[Line]) -> tuple[str, ...]:
    """Give the names on the first line of names below the title."""
    largest = max((size for size, text in lines if len(text.strip()) > 3), default=0.0)
    places = [place for place, (size, _) in enumerate(lines) if size == largest]
    below = lines[places[-1] + 1 :] if places else ()
    for _, text in below[:_LINES_OF_AUTHORS]:
        if _HEADING.match(text):
            break
        if names := split_names(_MARKS.sub("", text)):
            return names
    return ()


def split_names(text: str) -> tuple[str, ...]:
    """Split a list of authors; if any part is not a name, give no authors."""
    names = tuple(filter(None, (name.strip() for name in _BETWEEN_NAMES.split(text.strip()))))
    if _NOT_NAMES.search(text) or not all(map(_is_name, names)):
        return ()
    return names


def _is_name(text: str) -> bool:
    words = text.replace(".", ". ").split()
    return 2 <= len(words) <= 5 and all(
        word in _PARTICLES or (word[0].isupper() and _NAME_PART.match(word)) for word in words
    )


def find_front_year(text: str) -> int | None:
    """Give the first year above the abstract of the first page."""
    heading = _HEADING.search(text)
    return find_year(text[: heading.start()]) if heading else None


NOTE = "Title and abstract guessed from a PDF."
_LARGEST = 200_000_000
_LONGEST_TITLE = 300
_LONGEST_ABSTRACT = 4000
_NO_TITLE = re.compile(
    r"untitled|microsoft word|\.(?:docx?|tex|dvi|indd|pdf|qxd)\b|^\S+$", re.IGNORECASE
)


def read(path: Path) -> Iterator[Item]:
    """Read one document."""
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
    text = readable("\n".join(content.pages[:FRONT_PAGES]))
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
        note=_note(content),
        source=path.name,
    )
    try:
        document = assemble(meta, title[:_LONGEST_TITLE], abstract)
    except RecordError as error:
        raise FormatError(str(error)) from None
    return replace(document, body=make_body(find_sections(content.pages)))


def _note(content: PdfContent) -> str:
    read = len(content.pages)
    if read == content.count:
        return NOTE
    return f"{NOTE} Only the first {read:,} of {content.count:,} pages were read."


def _stated_title(stated: dict[str, str]) -> str:
    """Give the title in the file's properties, unless a word processor made it up."""
    title = clean_text(stated.get("Title", ""))
    return "" if _NO_TITLE.search(title) else title
