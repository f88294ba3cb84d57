"""Writes Claimscope's own JSON lines, which make the identical library again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from claimscope.types import Document, Section


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Write a line for every document."""
    return map(to_json_line, documents)


def to_record(document: Document) -> dict[str, Any]:
    """Give a document as the JSON object of Claimscope's own format; unknown fields are left out.

    The file it came from is left out as well: it says nothing to another computer.
    """
    known = {name: value for name, value in asdict(document.meta).items() if value}
    known.pop("source", None)
    record: dict[str, Any] = {"id": document.id, "title": document.title}
    if document.abstract:
        record |= {"abstract": document.abstract, "spans": document.spans}
    if document.body:
        known["body"] = [_section(section) for section in document.body]
    return record | known


def _section(section: Section) -> dict[str, Any]:
    page = {} if section.page is None else {"page": section.page}
    return {"heading": section.heading, **page, "text": section.text, "spans": section.spans}


def to_json_line(document: Document) -> str:
    """Give a document as a line of JSON."""
    return json.dumps(to_record(document), ensure_ascii=False) + "\n"
