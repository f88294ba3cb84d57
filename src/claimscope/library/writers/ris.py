"""Writes RIS, as Zotero and EndNote read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claimscope._identifiers import safe_url
from claimscope.ingest.own_notes import write_notes
from claimscope.types import Document


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Write a record for every document."""
    return map(to_ris, documents)


def to_ris(document: Document) -> str:
    """Give a document as a RIS record; what RIS has no tag for goes into notes."""
    lines = (f"{tag}  - {' '.join(value.split())}" for tag, value in _fields(document))
    return "\n".join(("TY  - JOUR", *lines, "ER  - ", "", ""))


def _fields(document: Document) -> Iterator[tuple[str, str]]:
    meta = document.meta
    yield "TI", document.title
    yield from (("AU", author) for author in meta.authors)
    single = {
        "PY": str(meta.year or ""),
        "JO": meta.venue,
        "DO": meta.doi,
        "UR": safe_url(meta.url),
        "LA": meta.language,
        "AB": document.abstract,
    }
    yield from ((tag, value) for tag, value in single.items() if value)
    if meta.pmid:
        yield from (("AN", meta.pmid), ("DB", "PubMed"))
    yield from (("M3", kind) for kind in meta.publication_types)
    yield from (("N1", note) for note in write_notes(document))
