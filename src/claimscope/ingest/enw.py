"""Reads EndNote's tagged text (.enw), which Google Scholar and many publishers offer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from claimscope._identifiers import find_doi, find_pmid, find_url, find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.own_notes import read_notes
from claimscope.ingest.record import Item
from claimscope.ingest.tagged import Grammar, TaggedLine, TaggedRecord, read_tagged
from claimscope.types import Document, Metadata

# The signs that stand for a field; "%5 of patients" is a line of an abstract.
_LINE = re.compile(r"%([0-46-9A-Z?@!#$\]&(*+^>=~[<)])(?:\s+(.*))?$")


def read(path: Path) -> Iterator[Item]:
    """Read every record."""
    return read_tagged(path, Grammar(_parse, opening="0"), _document)


def _parse(line: str) -> TaggedLine | None:
    match = _LINE.match(line.lstrip())
    return (match[1], match[2] or "") if match else None


def _document(record: TaggedRecord, source: str) -> Document:
    notes = record.all("Z", "K", "F", "1", "2", "3", "4")
    urls = record.all("U", ">")
    own = read_notes(record.all("Z"))
    kinds = tuple(record.all("9") or record.all("0"))
    meta = Metadata(
        doi=parse_doi(record.first("R")) or next(filter(None, map(find_doi, urls)), None),
        pmid=_pmid(record, [*notes, *urls]),
        year=find_year(record.first("D", "8")),
        venue=record.first("J", "B", "S") or None,
        authors=tuple(author.rstrip(",") for author in record.all("A")),
        url=next(filter(None, map(find_url, urls)), None),
        language=record.first("G") or None,
        publication_types=kinds if own.types is None else own.types,
        note=own.note,
        source=source,
        **own.known,
    )
    abstract = " ".join(dict.fromkeys(record.all("X")))
    title = record.first("T", "!")
    return assemble(meta, title, abstract, identifier=own.identifier, notes=notes)


def _pmid(record: TaggedRecord, notes: list[str]) -> str | None:
    accession = record.first("M")
    if accession.isdigit() and "pubmed" in " ".join(record.all("W", "~")).lower():
        return parse_pmid(accession)
    return next(filter(None, map(find_pmid, [accession, *notes])), None)
