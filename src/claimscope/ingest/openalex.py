"""Reads works of OpenAlex: answers of its API, lists of works, and files of its snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope._identifiers import find_url, find_year, parse_doi, parse_pmid
from claimscope.errors import RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.json_items import object_in, objects_in, read_items, text_in
from claimscope.ingest.json_lines import JsonObject
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata


def read(path: Path) -> Iterator[Item]:
    """Read every work."""
    return read_items(path, _document, ("results",))


def _document(work: JsonObject, source: str) -> Document:
    ids = object_in(work, "ids")
    location = object_in(work, "primary_location")
    venue = object_in(location, "source") or object_in(work, "host_venue")
    kind = text_in(work, "type")
    meta = Metadata(
        doi=parse_doi(text_in(work, "doi") or text_in(ids, "doi")),
        pmid=parse_pmid(text_in(ids, "pmid")),
        year=find_year(str(work.get("publication_year") or text_in(work, "publication_date"))),
        venue=text_in(venue, "display_name") or None,
        authors=tuple(_authors(work)),
        url=find_url(text_in(location, "landing_page_url") or text_in(work, "id")),
        language=text_in(work, "language") or None,
        publication_types=(kind,) if kind else (),
        retracted=work.get("is_retracted") is True,
        source=source,
    )
    title = text_in(work, "title") or text_in(work, "display_name")
    return assemble(meta, title, abstract_of(work.get("abstract_inverted_index")))


def abstract_of(index: Any) -> str:
    """Put an abstract together from the places of each of its words."""
    if index is None:
        return ""
    if not isinstance(index, dict):
        raise RecordError("The work's abstract_inverted_index must be an object of words.")
    places = [
        (place, word)
        for word, found in index.items()
        if isinstance(found, list)
        for place in found
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(places))


def _authors(work: JsonObject) -> Iterator[str]:
    for each in objects_in(work, "authorships"):
        name = text_in(object_in(each, "author"), "display_name")
        if name := name or text_in(each, "raw_author_name"):
            yield name
