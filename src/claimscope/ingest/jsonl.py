"""Reads Claimscope's own JSON lines: a record a line, as `library export` writes them.

Keys: id, title, then abstract (a text), sentences (a list of texts) or abstract with spans (a list
of [start, end] pairs); body (the full text: objects with heading, page, text and spans); all others
are the fields of `Metadata`. Every key but title is optional.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimscope._identifiers import find_year, parse_doi, parse_pmid
from claimscope.errors import RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.cleaning import clean_text, without_controls
from claimscope.ingest.json_lines import (
    JsonObject,
    parse,
    read_objects,
    text_value,
    texts_value,
)
from claimscope.ingest.limits import check_text
from claimscope.ingest.record import Item
from claimscope.metadata import read_study
from claimscope.text import split_sentences
from claimscope.types import Document, Metadata, Section, Span


def read(path: Path) -> Iterator[Item]:
    """Read every line."""
    return read_objects(path, read_document)


def from_json(text: str) -> Document:
    """Read one document from JSON; a `source` that it names is kept."""
    record = parse(text)
    document = read_document(record, text_value(record, "source"))
    meta = replace(document.meta, source=document.meta.source or None)
    return replace(document, meta=meta)


def read_document(record: JsonObject, source: str) -> Document:
    """Make a document of one object; `source` names the file."""
    abstract = text_value(record, "abstract")
    document = assemble(
        _metadata(record, source),
        text_value(record, "title"),
        abstract,
        sentences=texts_value(record, "sentences"),
        spans=_spans(record.get("spans"), len(abstract)),
        identifier=text_value(record, "id"),
    )
    return (
        replace(document, body=tuple(_body(record.get("body")))) if "body" in record else document
    )


def _body(sections: Any) -> Iterator[Section]:
    if not isinstance(sections, list):
        raise RecordError("The value of 'body' must be a list of sections.")
    for section in sections:
        if not isinstance(section, dict):
            raise RecordError("A section of 'body' must be an object with heading and text.")
        text = without_controls(text_value(section, "text"))
        check_text("abstract", text)
        page = section.get("page")
        spans = _spans(section.get("spans"), len(text)) or tuple(split_sentences(text))
        heading = clean_text(text_value(section, "heading"))
        check_text("heading", heading)
        yield Section(heading, text, spans, page if isinstance(page, int) else None)


def _metadata(record: JsonObject, source: str) -> Metadata:
    retracted = record.get("retracted")
    if retracted is not None and not isinstance(retracted, bool):
        raise RecordError("The value of 'retracted' must be true or false.")
    return Metadata(
        doi=parse_doi(text_value(record, "doi")),
        pmid=parse_pmid(text_value(record, "pmid")),
        year=find_year(text_value(record, "year")),
        venue=text_value(record, "venue") or None,
        authors=texts_value(record, "authors"),
        url=text_value(record, "url") or None,
        language=text_value(record, "language") or None,
        publication_types=texts_value(record, "publication_types"),
        retracted=bool(retracted),
        notices=texts_value(record, "notices"),
        tags=texts_value(record, "tags"),
        citation_key=text_value(record, "citation_key") or None,
        note=text_value(record, "note") or None,
        source=source,
        **read_study(lambda name: text_value(record, name)),
    )


def _spans(value: Any, length: int) -> tuple[Span, ...]:
    """Check that spans follow one another inside the abstract."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise RecordError("The value of 'spans' must be a list of [start, end] pairs.")
    spans: list[Span] = []
    reached = 0
    for pair in value:
        match pair:
            case [int(start), int(end)] if reached <= start <= end <= length:
                spans.append((start, end))
                reached = end
            case _:
                raise RecordError(
                    "The 'spans' must be [start, end] pairs, in order, within the abstract."
                )
    return tuple(spans)
