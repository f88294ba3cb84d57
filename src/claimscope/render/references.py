"""The papers that a result rests on as RIS, for reference managers."""

from __future__ import annotations

from typing import Any

from claimscope.library.export import to_ris
from claimscope.render.evidence import Result, evidence_candidates
from claimscope.types import Document, Metadata


def to_references(result: Result) -> str:
    """Write a RIS record for every paper that carries evidence."""
    return "".join(to_ris(_document(item)) for item in evidence_candidates(result))


def _document(item: dict[str, Any]) -> Document:
    lists = ("authors", "publication_types")
    meta: dict[str, Any] = {
        name: tuple(value) if name in lists else value for name, value in item["metadata"].items()
    }
    return Document(item["id"], item["title"], item["abstract"], meta=Metadata(**meta))
