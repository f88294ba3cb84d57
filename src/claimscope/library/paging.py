"""Reads a library's documents a page at a time."""

from __future__ import annotations

from claimscope.library.record import COLUMNS, Record, decode
from claimscope.library.store import Store
from claimscope.types import Document


def page(store: Store, after: str, limit: int) -> list[Document]:
    """Give the documents whose ids follow an id, in order, at most so many."""
    rows = store.rows(
        f"SELECT {COLUMNS} FROM documents WHERE id > ? ORDER BY id LIMIT ?", after, limit
    )
    return [decode(Record(*row)) for row in rows]
