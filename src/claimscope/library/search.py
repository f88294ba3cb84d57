"""Ranks documents for a query: the index proposes, and the store confirms every hit."""

from __future__ import annotations

from claimscope.errors import InputError
from claimscope.library.filters import Filter
from claimscope.library.lexical import LexicalIndex
from claimscope.library.protocol import Hit
from claimscope.library.store import Store

_MARGIN = 16
_GROWTH = 4


def search(
    store: Store, index: LexicalIndex, query: str, k: int, where: Filter | None = None
) -> list[Hit]:
    """Give the k best documents a filter admits; ties are broken by id, also across the cut.

    Entries the store does not know are passed over, so nothing half-written can be found.
    """
    if k < 1:
        raise InputError(f"A search needs at least one result to look for, not {k}.")
    limit = k + _MARGIN
    while True:
        entries = index.hits(query, limit)
        hits = _confirmed(store, entries, where)
        complete = len(entries) < limit
        # Only a worse entry after the k-th hit proves that no tie was cut off.
        if complete or (len(hits) >= k and entries[-1][0] < hits[k - 1].score):
            return hits[:k]
        limit *= _GROWTH


def _confirmed(store: Store, entries: list[tuple[float, int]], where: Filter | None) -> list[Hit]:
    ids = store.ids_of(sequence for _, sequence in entries)
    if where:
        metas = store.metadata(list(ids.values()))
        ids = {each: name for each, name in ids.items() if where.admits(metas[name])}
    best: dict[str, float] = {}
    for score, sequence in entries:
        if sequence in ids:
            best.setdefault(ids[sequence], score)
    hits = [Hit(document_id, score) for document_id, score in best.items()]
    return sorted(hits, key=lambda hit: (-hit.score, hit.document_id))
