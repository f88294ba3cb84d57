"""Writes the XML that EndNote imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from claimscope._identifiers import safe_url
from claimscope.ingest.own_notes import write_notes
from claimscope.types import Document

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<xml><records>\n'
_JOURNAL_ARTICLE = "17"


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Write a record for every document."""
    yield _HEAD
    for document in documents:
        yield to_endnote_xml(document) + "\n"
    yield "</records></xml>\n"


def to_endnote_xml(document: Document) -> str:
    """Give a document as a record; what EndNote has no element for goes into the notes."""
    meta = document.meta
    record = etree.Element("record")
    etree.SubElement(record, "source-app", name="Claimscope").text = "Claimscope"
    kind = etree.SubElement(record, "ref-type", name="Journal Article")
    kind.text = _JOURNAL_ARTICLE
    _put(record, "contributors/authors/author", *meta.authors)
    _put(record, "titles/title", document.title)
    _put(record, "titles/secondary-title", meta.venue)
    _put(record, "periodical/full-title", meta.venue)
    _put(record, "dates/year", str(meta.year or ""))
    _put(record, "abstract", document.abstract)
    _put(record, "notes", "\n".join(write_notes(document)))
    _put(record, "urls/related-urls/url", safe_url(meta.url))
    _put(record, "electronic-resource-num", meta.doi)
    if meta.pmid:
        _put(record, "accession-num", meta.pmid)
        _put(record, "remote-database-name", "PubMed")
    _put(record, "language", meta.language)
    _put(record, "work-type", "; ".join(meta.publication_types))
    return str(etree.tostring(record, encoding="unicode"))


def _put(record: etree._Element, path: str, *texts: str | None) -> None:
    """Add an element for every text, below those that its path names."""
    *parents, name = path.split("/")
    for text in filter(None, texts):
        place = record
        for parent in parents:
            found = place.find(parent)
            place = etree.SubElement(place, parent) if found is None else found
        etree.SubElement(place, name).text = text
