"""Weighs all documents again when the average length has moved away from the one they have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qdrant_client import models

from claimscope.library.qdrant.batches import pieces
from claimscope.library.qdrant.connection import WRITING, Connection
from claimscope.library.qdrant.points import (
    BM25,
    HASH,
    LENGTH,
    RECORD,
    Entry,
    count_text,
    point_id,
    sparse,
)
from claimscope.library.qdrant.reader import Reader
from claimscope.library.qdrant.state import Lease, State, Totals
from claimscope.library.qdrant.weights import weigh
from claimscope.library.qdrant.writer import Requests

NOTABLE = 0.01
"""How far the average length may move before `verify` speaks of it."""

_TOLERANCE = 0.0005
"""How far it may move where weighing again costs little; on SciFact a difference of 0.0085 put
neighbours of the top 10 into another order for one query in ten."""
_SMALL = 50_000
_GROWTH = 2
_PIECE = 500


def drift(state: State) -> float:
    """Give by which share the average length differs from the one documents were weighed with."""
    if not state.average:
        return 0.0
    return abs(state.totals.average / state.average - 1)


def is_due(state: State) -> bool:
    """Say whether to weigh now: at once while that is cheap, later when the library has doubled."""
    documents = state.totals.documents
    if state.is_weighing:
        return True
    cheap = documents <= _SMALL or documents >= _GROWTH * state.weighed
    return cheap and drift(state) > _TOLERANCE


def weigh_all(connection: Connection, lease: Lease) -> int:
    """Weigh every document with the average length of now, and count them.

    A weighing that was cut short is noticed by the next client and begun again.
    """
    totals = lease.state.totals
    lease.update(average=totals.average, is_weighing=True)
    count = 0
    reader = Reader(connection)
    with Requests() as requests:
        for some in pieces(reader.scroll([RECORD, HASH, LENGTH], size=_PIECE), _PIECE):
            entries = [reader.entry(payload) for payload in some]
            requests.add(_update(connection, entries, totals.average))
            count += len(entries)
    lease.update(is_weighing=False, weighed=totals.documents)
    return count


def recount(reader: Reader) -> Totals:
    """Add the documents up anew."""
    totals = Totals()
    for payload in reader.scroll([f"{RECORD}.id", HASH, LENGTH]):
        totals = totals.plus(bytes.fromhex(payload[HASH]), payload[LENGTH], 1)
    return totals


def _update(connection: Connection, entries: list[Entry], average: float) -> Callable[[], object]:
    def request() -> object:
        points = []
        for entry in entries:
            terms, length = count_text(entry.record)
            if terms:
                vector: dict[str, Any] = {BM25: sparse(weigh(terms, length, average))}
                points.append(models.PointVectors(id=point_id(entry.record.id), vector=vector))
        return connection.call(
            lambda client: client.update_vectors(connection.collection, points), WRITING
        )

    return request
