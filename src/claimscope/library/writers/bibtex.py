"""Writes BibTeX for LaTeX and reference managers, in UTF-8."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from claimscope._identifiers import safe_url
from claimscope.ingest.own_notes import write_notes
from claimscope.types import Document

# Signs that LaTeX or BibTeX reads as commands; quotes and dashes would join to others.
_ESCAPES = {
    "\\": r"{\textbackslash}",
    "{": r"{\textbraceleft}",
    "}": r"{\textbraceright}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "@": "{@}",
    "`": "{`}",
    '"': '{"}',
}
_JOINED = {"--": "{-}{-}", "''": "{'}{'}"}
_SPECIAL = re.compile("|".join(map(re.escape, (*_ESCAPES, *_JOINED))))
_NO_KEY = re.compile(r"[^a-z0-9]+")
_DULL = frozenset("a an and at does for from in is of on the to with".split())


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Write an entry for every document, each with a key of its own."""
    taken: dict[str, int] = {}
    for document in documents:
        key = make_key(document)
        number = taken[key] = taken.get(key, 0) + 1
        yield to_bibtex(document, key if number == 1 else f"{key}-{number}")


def make_key(document: Document) -> str:
    """Give the key that people expect, such as "smith2019coffee"."""
    author = document.meta.authors[0] if document.meta.authors else ""
    family = author.partition(",")[0] if "," in author else author.rpartition(" ")[2]
    words = map(_plain, document.title.split())
    word = next((word for word in words if word and word not in _DULL), "")
    return f"{_plain(family)}{document.meta.year or ''}{word}" or "paper"


def to_bibtex(document: Document, key: str) -> str:
    """Give a document as an entry; what BibTeX has no field for goes into a note."""
    fields = ((name, value) for name, value in _fields(document) if value)
    lines = (f"  {name} = {{{value}}},\n" for name, value in fields)
    return f"@article{{{key},\n{''.join(lines)}}}\n\n"


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _NO_KEY.sub("", letters.lower())[:40]


def _fields(document: Document) -> Iterator[tuple[str, str]]:
    meta = document.meta
    yield "title", _escape(document.title)
    yield "author", " and ".join(map(_name, meta.authors))
    yield "journal", _escape(meta.venue or "")
    yield "year", str(meta.year or "")
    yield "doi", _escape(meta.doi or "")
    yield "pmid", _escape(meta.pmid or "")
    yield "url", _escape(safe_url(meta.url) or "")
    yield "language", _escape(meta.language or "")
    yield "abstract", _escape(document.abstract)
    yield "note", " \\\\ ".join(map(_escape, write_notes(document)))


def _name(name: str) -> str:
    """Keep a name in one piece if it holds a command, or a word that means something else."""
    text = _escape(name)
    is_plain = text == name and "and" not in text.lower().split() and text != "others"
    return text if is_plain else f"{{{text}}}"


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: _escaped(match[0]), " ".join(text.split()))


def _escaped(sign: str) -> str:
    return _ESCAPES.get(sign) or _JOINED[sign]
