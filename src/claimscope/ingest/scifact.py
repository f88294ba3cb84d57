"""Reads corpora in SciFact's form: doc_id (or Check-COVID's cord_id), title, abstract.

The abstract is a list of sentences, which are kept as they are; a plain text is split, and labelled
sections are joined.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope._identifiers import find_year, parse_doi, parse_pmid
from claimscope.errors import RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.json_lines import (
    JsonObject,
    read_objects,
    text_value,
    texts_value,
)
from claimscope.ingest.record import Item
from claimscope.types import Document, Metadata

_ID_KEYS = ("doc_id", "cord_id")


def read(path: Path) -> Iterator[Item]:
    """Read every line."""
    return read_objects(path, _document)


def _document(record: JsonObject, source: str) -> Document:
    identifier = next(filter(None, (text_value(record, key) for key in _ID_KEYS)), "")
    if not identifier:
        raise RecordError("The record has no doc_id or cord_id.")
    abstract = record.get("abstract")
    is_split = isinstance(abstract, list)
    meta = Metadata(
        doi=parse_doi(text_value(record, "doi")),
        pmid=parse_pmid(text_value(record, "pmid")),
        year=find_year(text_value(record, "year")),
        source=source,
    )
    return assemble(
        meta,
        text_value(record, "title"),
        "" if is_split else text_value(record, "abstract") or _sections(record),
        sentences=texts_value(record, "abstract") if is_split else (),
        identifier=identifier,
    )


def _sections(record: JsonObject) -> str:
    sections = record.get("sections")
    if not isinstance(sections, list):
        return ""
    parts = []
    for section in sections:
        if not isinstance(section, dict):
            raise RecordError("The 'sections' must be objects with a label and a text.")
        label, text = text_value(section, "label").strip().upper(), text_value(section, "text")
        parts.append(f"{label}: {text}" if label else text)
    return " ".join(parts)
