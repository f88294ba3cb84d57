"""Reads NBIB, the tagged MEDLINE text that PubMed exports for reference managers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from claimscope._identifiers import find_year, parse_doi, parse_pmid
from claimscope.errors import RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.record import Item
from claimscope.ingest.tagged import Grammar, TaggedLine, TaggedRecord, read_tagged
from claimscope.types import Document, Metadata

_LINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}-(?:\s+(.*))?$")


def read(path: Path) -> Iterator[Item]:
    """Read every record."""
    return read_tagged(path, Grammar(_parse, opening="PMID"), _document)


def _parse(line: str) -> TaggedLine | None:
    # The tag is padded to four characters; lines that carry on begin with spaces.
    match = _LINE.match(line) if line[4:5] == "-" else None
    return (match[1], match[2] or "") if match else None


def _document(record: TaggedRecord, source: str) -> Document:
    pmid = parse_pmid(record.first("PMID"))
    if pmid is None:
        raise RecordError("The record has no PMID, which every MEDLINE record begins with.")
    meta = Metadata(
        doi=_doi(record),
        pmid=pmid,
        year=find_year(record.first("DP", "DEP")),
        venue=record.first("JT", "TA") or None,
        authors=tuple(record.all("FAU") or record.all("AU") or record.all("CN")),
        language=record.first("LA") or None,
        publication_types=tuple(record.all("PT")),
        retracted="Retracted Publication" in record.all("PT") or bool(record.all("RIN")),
        source=source,
    )
    abstract = record.first("AB", "OAB")
    return assemble(meta, record.first("TI", "TT", "BTI"), abstract)


def _doi(record: TaggedRecord) -> str | None:
    for value in record.all("LID", "AID"):
        if value.endswith("[doi]"):
            return parse_doi(value)
    return None
