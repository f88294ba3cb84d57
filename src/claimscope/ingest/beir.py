"""Reads corpora in BEIR's form: _id, title, text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope._identifiers import parse_pmid
from claimscope.errors import RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.json_lines import JsonObject, read_objects, text_value
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata


def read(path: Path) -> Iterator[Item]:
    """Read every line."""
    return read_objects(path, _document)


def _document(record: JsonObject, source: str) -> Document:
    identifier = text_value(record, "_id")
    if not identifier:
        raise RecordError("The record has no _id.")
    extra = record.get("metadata")
    extra = extra if isinstance(extra, dict) else {}
    meta = Metadata(
        pmid=parse_pmid(text_value(extra, "pubmed_id")),
        url=text_value(extra, "url") or None,
        source=source,
    )
    title, text = text_value(record, "title"), text_value(record, "text")
    return assemble(meta, title, text, identifier=identifier)
