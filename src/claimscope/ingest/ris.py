"""Reads RIS as reference managers and databases write it, merged and mended exports included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from claimscope._identifiers import find_doi, find_pmid, find_url, find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.own_notes import read_notes
from claimscope.ingest.record import Item
from claimscope.ingest.tagged import Grammar, TaggedLine, TaggedRecord, longest, read_tagged
from claimscope.types import Document, Metadata

_LINE = re.compile(r"\s*([A-Za-z][A-Za-z0-9])(\s{0,4})-(\s*)(.*)$")
_TAGS = frozenset(
    """
    A1 A2 A3 A4 AB AD AN AU AV BT C1 C2 C3 C4 C5 C6 C7 C8 CA CN CP CT CY DA DB DI DO DP DS ED EP ER
    ET ID IS J1 J2 JA JF JO K1 KW L1 L2 L3 L4 LA LB LK M1 M2 M3 N1 N2 NV OP PB PM PP PT PY RI RN RP
    SE SN SP SR ST T1 T2 T3 TA TI TT TY U1 U2 U3 U4 U5 UR VL VO Y1 Y2
    """.split()
)
_NOTES = ("N1", "KW", "M1", "C1", "C2", "C5", "C6", "C7", "C8", "U1", "U2", "U3", "U4", "U5")
_PUBMED = re.compile(r"pub\s?med|medline|nlm", re.IGNORECASE)


def read(path: Path) -> Iterator[Item]:
    """Read every record."""
    return read_tagged(path, Grammar(_parse, opening="TY", closing="ER"), _document)


def read_keyed(path: Path) -> Iterator[tuple[str, Item]]:
    """Read every record with its reference id (ID), which many files leave out."""
    keys: list[str] = []

    def keep_key(record: TaggedRecord, source: str) -> Document:
        keys[:] = [record.first("ID")]
        return _document(record, source)

    for item in read_tagged(path, Grammar(_parse, opening="TY", closing="ER"), keep_key):
        yield keys.pop() if keys else "", item


def _parse(line: str) -> TaggedLine | None:
    match = _LINE.match(line)
    if match is None:
        return None
    tag, before, after, value = match[1].upper(), match[2], match[3], match[4]
    # "ER-positive cancer", "T2 - weighted imaging" and "AB-negative" are lines of an abstract.
    if tag == "ER":
        return None if value else (tag, value)
    if tag == "TY" and value.isalnum():
        return tag, value
    if tag not in _TAGS or (value and not after):
        return None
    is_standard = len(before) == 2
    is_close = match[1].isupper() and not value[:1].islower()
    return (tag, value) if is_standard or is_close else None


def _document(record: TaggedRecord, source: str) -> Document:
    notes = record.all(*_NOTES)
    own = read_notes(record.all("N1"))
    kinds = tuple(kind for kind in record.all("M3", "PT") if find_doi(kind) is None)
    meta = Metadata(
        doi=_doi(record),
        pmid=_pmid(record, notes),
        year=find_year(record.first("PY", "Y1", "DA", "Y2")),
        venue=record.first("JF", "T2", "JO", "JA", "J2", "J1", "TA") or None,
        authors=tuple(record.all("AU") or record.all("A1")),
        url=find_url(record.first("UR", "LK", "L2")),
        language=record.first("LA") or None,
        publication_types=kinds if own.types is None else own.types,
        note=own.note,
        source=source,
        **own.known,
    )
    title = record.first("TI", "T1", "CT", "BT", "TT")
    return assemble(meta, title, _abstract(record), identifier=own.identifier, notes=notes)


def _abstract(record: TaggedRecord) -> str:
    """Give the fuller of AB and N2; a repeated tag holds the abstract's paragraphs."""
    return longest([" ".join(dict.fromkeys(record.all(tag))) for tag in ("AB", "N2")])


def _doi(record: TaggedRecord) -> str | None:
    own = map(parse_doi, record.all("DO", "DI"))
    others = map(find_doi, record.all("M3", "L3", "UR", "N1"))
    return next(filter(None, chain(own, others)), None)


def _pmid(record: TaggedRecord, notes: list[str]) -> str | None:
    if own := record.first("PM"):
        return parse_pmid(own)
    accession = record.first("AN")
    if accession.isdigit() and _PUBMED.search(" ".join(record.all("DB", "DP"))):
        return parse_pmid(accession)
    places = (accession, *notes, *record.all("UR", "L2", "LK"))
    return next(filter(None, map(find_pmid, places)), None)
