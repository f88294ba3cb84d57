"""Documents for tests."""

from __future__ import annotations

from typing import Any

from claimscope.types import Document, Metadata


def paper(name: str, abstract: str = "", title: str = "", **meta: Any) -> Document:
    """Make a document whose abstract is one sentence."""
    spans = ((0, len(abstract)),) if abstract else ()
    return Document(name, title or f"Paper {name}", abstract, spans, Metadata(**meta))
