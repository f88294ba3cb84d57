"""Writes CSL-JSON, which Zotero and Pandoc read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from claimscope._identifiers import safe_url
from claimscope.ingest.own_notes import write_notes
from claimscope.types import Document


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Write a list with an object for every document."""
    between = "[\n"
    for document in documents:
        yield between + json.dumps(to_csl(document), ensure_ascii=False)
        between = ",\n"
    yield "[]\n" if between == "[\n" else "\n]\n"


def to_csl(document: Document) -> dict[str, Any]:
    """Give a document as an object of CSL-JSON; what it has no key for goes into the note."""
    meta = document.meta
    item: dict[str, Any] = {
        "id": document.id,
        "type": "article-journal",
        "title": document.title,
        "author": [_name(author) for author in meta.authors],
        "container-title": meta.venue,
        "issued": {"date-parts": [[meta.year]]} if meta.year else None,
        "DOI": meta.doi,
        "PMID": meta.pmid,
        "URL": safe_url(meta.url),
        "language": meta.language,
        "abstract": document.abstract,
        "note": "\n".join(write_notes(document)),
    }
    return {name: value for name, value in item.items() if value}


def _name(author: str) -> dict[str, str]:
    family, comma, given = author.partition(", ")
    is_person = comma and family.strip() and given.strip()
    return {"family": family, "given": given} if is_person else {"literal": author}
