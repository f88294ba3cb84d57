"""Reads the XML that EndNote exports, and other reference managers with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from claimscope._identifiers import find_doi, find_pmid, find_url, find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.own_notes import read_notes
from claimscope.ingest.record import Item
from claimscope.ingest.xml_stream import read_records, text_of
from claimscope.types import Document, Metadata


def read(path: Path) -> Iterator[Item]:
    """Read every reference."""
    return read_records(path, _document, ("record",))


def _document(record: etree._Element, source: str) -> Document:
    notes = _all(record, "notes", "research-notes", "keywords/keyword", "label")
    urls = _all(record, "urls//url")
    own = read_notes(notes)
    kinds = tuple(_all(record, "work-type")) or _kind(record)
    meta = Metadata(
        doi=parse_doi(_first(record, "electronic-resource-num")) or _doi_of(urls),
        pmid=_pmid(record, notes, urls),
        year=find_year(_first(record, "dates/year", "dates/pub-dates/date")),
        venue=_first(record, "periodical/full-title", "titles/secondary-title") or None,
        authors=tuple(_all(record, "contributors/authors/author")),
        url=next(filter(None, map(find_url, urls)), None),
        language=_first(record, "language") or None,
        publication_types=kinds if own.types is None else own.types,
        note=own.note,
        source=source,
        **own.known,
    )
    return assemble(
        meta,
        _first(record, "titles/title"),
        _first(record, "abstract"),
        identifier=own.identifier,
        notes=notes,
    )


def _all(record: etree._Element, *paths: str) -> list[str]:
    texts = (text_of(found).strip() for path in paths for found in record.iterfind(path))
    return [text for text in texts if text]


def _first(record: etree._Element, *paths: str) -> str:
    return next(iter(_all(record, *paths)), "")


def _kind(record: etree._Element) -> tuple[str, ...]:
    kind = record.find("ref-type")
    name = "" if kind is None else kind.get("name", "")
    return (name,) if name else ()


def _doi_of(urls: list[str]) -> str | None:
    return next(filter(None, map(find_doi, urls)), None)


def _pmid(record: etree._Element, notes: list[str], urls: list[str]) -> str | None:
    accession = _first(record, "accession-num")
    databases = " ".join(_all(record, "remote-database-name", "remote-database-provider"))
    is_pubmed = any(name in databases.lower() for name in ("pubmed", "medline", "nlm"))
    if accession.isdigit() and (is_pubmed or not databases):
        return parse_pmid(accession)
    return next(filter(None, map(find_pmid, (accession, *notes, *urls))), None)
