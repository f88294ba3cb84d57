"""Reads CSL-JSON, the list of references that Zotero, Pandoc and Crossref exchange."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope._identifiers import find_pmid, find_url, find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.json_items import objects_in, read_items, text_in
from claimscope.ingest.json_lines import JsonObject
from claimscope.ingest.own_notes import read_notes
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata

KINDS = frozenset(
    """
    article article-journal article-magazine article-newspaper bill book broadcast chapter
    classic collection dataset document entry entry-dictionary entry-encyclopedia event figure
    graphic hearing interview legal_case legislation manuscript map motion_picture
    musical_score pamphlet paper-conference patent performance periodical personal_communication
    post post-weblog regulation report review review-book software song speech standard thesis
    treaty webpage
    """.split()
)
"""The types that the specification of CSL lists."""


def read(path: Path) -> Iterator[Item]:
    """Read every reference."""
    return read_items(path, read_document, ("items",))


def read_document(item: JsonObject, source: str) -> Document:
    """Make a document of one reference; `source` names the file."""
    note = text_in(item, "note")
    own = read_notes([note])
    kinds = tuple(filter(None, [text_in(item, "genre") or text_in(item, "type")]))
    meta = Metadata(
        doi=parse_doi(text_in(item, "DOI")),
        pmid=parse_pmid(text_in(item, "PMID")) or find_pmid(note),
        year=_year(item.get("issued")),
        venue=text_in(item, "container-title") or text_in(item, "event-title") or None,
        authors=tuple(_names(item)),
        url=find_url(text_in(item, "URL")),
        language=text_in(item, "language") or None,
        publication_types=kinds if own.types is None else own.types,
        note=own.note,
        source=source,
        **own.known,
    )
    notes = (note, text_in(item, "keyword"), text_in(item, "status"))
    return assemble(
        meta,
        text_in(item, "title"),
        text_in(item, "abstract"),
        identifier=own.identifier,
        notes=notes,
    )


def _year(issued: Any) -> int | None:
    """Read the year of a date, which may be in parts, a text, or a text under a key."""
    if not isinstance(issued, dict):
        return find_year(str(issued or ""))
    match issued.get("date-parts"):
        case [[year, *_], *_]:
            return find_year(str(year))
    return find_year(str(issued.get("raw") or issued.get("literal") or ""))


def _names(item: JsonObject) -> Iterator[str]:
    for author in objects_in(item, "author"):
        particle, family = text_in(author, "non-dropping-particle"), text_in(author, "family")
        family = f"{particle} {family}" if particle and family else family
        name = ", ".join(filter(None, (family, text_in(author, "given"))))
        if name := name or text_in(author, "literal") or text_in(author, "name"):
            yield name
