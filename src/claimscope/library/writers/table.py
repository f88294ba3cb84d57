"""Writes a CSV table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from claimscope.ingest.table import FORMULA, OWN_ID
from claimscope.metadata import NOTICES, STUDY
from claimscope.types import Document

_FIELDS = ("year", "venue", "doi", "pmid", "url", "language")
_STUDY = tuple(field.name for field in STUDY)
COLUMNS = (
    *(OWN_ID, "title", "authors", *_FIELDS, "publication_types", *_STUDY),
    *("retracted", "notices", "caution", "abstract"),
)


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Write a header and a row for every document."""
    yield _row(COLUMNS)
    for document in documents:
        meta = document.meta
        yield _row(
            [
                document.id,
                document.title,
                "; ".join(meta.authors),
                *(getattr(meta, name) for name in _FIELDS),
                "; ".join(meta.publication_types),
                *(getattr(meta, name) for name in _STUDY),
                "yes" if meta.retracted else "no",
                NOTICES.join(meta.notices),
                meta.note,
                document.abstract,
            ]
        )


def _row(cells: Iterable[Any]) -> str:
    output = io.StringIO()
    csv.writer(output, lineterminator="\r\n").writerow(map(_safe, cells))
    return output.getvalue()


def _safe(value: Any) -> Any:
    """Mark a text that a spreadsheet would take for a formula; reading takes the mark away."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
