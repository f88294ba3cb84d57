"""Reads the JSON of Europe PMC: answers of its search, with or without abstracts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope._identifiers import find_url, find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.json_items import object_in, objects_in, read_items, text_in
from claimscope.ingest.json_lines import JsonObject
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata

_RETRACTED = "retraction in"


def read(path: Path) -> Iterator[Item]:
    """Read every result."""
    return read_items(path, _document, ("result",))


def _document(result: JsonObject, source: str) -> Document:
    info = object_in(result, "journalInfo")
    journal = text_in(object_in(info, "journal"), "title") or text_in(result, "journalTitle")
    pmid = text_in(result, "pmid")
    if not pmid and result.get("source") == "MED":
        pmid = text_in(result, "id")
    book = object_in(result, "bookOrReportDetails")
    year = text_in(result, "pubYear") or text_in(info, "yearOfPublication")
    meta = Metadata(
        doi=parse_doi(text_in(result, "doi")),
        pmid=parse_pmid(pmid),
        year=find_year(year or text_in(result, "firstPublicationDate")),
        venue=journal or text_in(book, "publisher") or None,
        authors=tuple(_authors(result)),
        url=next(_urls(result), None),
        language=text_in(result, "language") or None,
        publication_types=tuple(_types(result)),
        retracted=_is_retracted(result),
        source=source,
    )
    return assemble(meta, text_in(result, "title"), text_in(result, "abstractText"))


def _authors(result: JsonObject) -> Iterator[str]:
    listed = objects_in(object_in(result, "authorList"), "author")
    for author in listed:
        name = ", ".join(filter(None, (text_in(author, "lastName"), text_in(author, "firstName"))))
        if name := name or text_in(author, "fullName") or text_in(author, "collectiveName"):
            yield name
    if not listed:
        names = text_in(result, "authorString").rstrip(" .").split(",")
        yield from filter(None, map(str.strip, names))


def _types(result: JsonObject) -> Iterator[str]:
    listed = object_in(result, "pubTypeList").get("pubType")
    if isinstance(listed, list):
        yield from (kind for kind in listed if isinstance(kind, str))
    else:
        yield from filter(None, map(str.strip, text_in(result, "pubType").split(";")))


def _urls(result: JsonObject) -> Iterator[str]:
    listed = objects_in(object_in(result, "fullTextUrlList"), "fullTextUrl")
    return filter(None, (find_url(text_in(each, "url")) for each in listed))


def _is_retracted(result: JsonObject) -> bool:
    notes = objects_in(object_in(result, "commentCorrectionList"), "commentCorrection")
    return any(text_in(note, "type").lower() == _RETRACTED for note in notes)
