"""Ranks papers on the server: by BM25 alone, or fused with the likeness of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qdrant_client import models

from claimscope.errors import InputError
from claimscope.library.filters import Filter
from claimscope.library.protocol import Hit
from claimscope.library.qdrant.batches import pieces
from claimscope.library.qdrant.connection import Connection
from claimscope.library.qdrant.points import BM25, RECORD, VECTORS, conditions, sparse
from claimscope.library.qdrant.weights import query_weights

CONSTANT = 60
"""Of reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009."""

_MARGIN = 16
_GROWTH = 4
_QUERIES = 16
_DIGITS = 4
"""Decimals of a score, as in a folder's library."""
_ID = f"{RECORD}.id"


@dataclass
class _Pending:
    number: int
    weights: dict[int, float]
    limit: int


def search(
    connection: Connection, queries: Sequence[str], k: int, where: Filter | None
) -> list[list[Hit]]:
    """Give the k best papers for each query; ties are broken by id, also those across the cut."""
    if k < 1:
        raise InputError(f"A search needs at least one result to look for, not {k}.")
    results: list[list[Hit]] = [[] for _ in queries]
    weighed = [(number, query_weights(query)) for number, query in enumerate(queries)]
    pending = [_Pending(number, weights, k + _MARGIN) for number, weights in weighed if weights]
    condition = conditions(where)
    while pending:
        unfinished = []
        for some in pieces(pending, _QUERIES):
            requests = [_request(each, condition) for each in some]
            for each, points in zip(some, _ask(connection, requests), strict=True):
                hits = _hits(points)
                # Only a worse point after the k-th hit proves that no tie was cut off.
                complete = len(points) < each.limit or _lowest(points) < hits[k - 1].score
                if complete:
                    results[each.number] = hits[:k]
                else:
                    each.limit *= _GROWTH
                    unfinished.append(each)
        pending = unfinished
    return results


def fused(
    connection: Connection,
    queries: Sequence[str],
    vectors: Sequence[Sequence[float]],
    k: int,
    where: Filter | None,
    depth: int,
) -> list[list[Hit]]:
    """Fuse both rankings by reciprocal rank, over all shards.

    The server merges shards before it fuses only where fusion is the query itself.
    """
    condition = conditions(where)
    results: list[list[Hit]] = []
    for some in pieces(zip(queries, vectors, strict=True), _QUERIES):
        requests = [
            models.QueryRequest(
                prefetch=[
                    models.Prefetch(
                        query=sparse(query_weights(query)),
                        using=BM25,
                        limit=depth,
                        filter=condition,
                    ),
                    models.Prefetch(
                        query=list(vector), using=VECTORS, limit=depth, filter=condition
                    ),
                ],
                # Ranks count from 0 on the server and from 1 in the paper.
                query=models.RrfQuery(rrf=models.Rrf(k=CONSTANT + 1)),
                limit=k + _MARGIN,
                with_payload=[_ID],
            )
            for query, vector in some
        ]
        found = _ask(connection, requests)
        results += [_sorted(_unrounded(points))[:k] for points in found]
    return results


def _request(pending: _Pending, condition: models.Filter | None) -> models.QueryRequest:
    return models.QueryRequest(
        query=sparse(pending.weights),
        using=BM25,
        limit=pending.limit,
        filter=condition,
        with_payload=[_ID],
    )


def _ask(
    connection: Connection, requests: list[models.QueryRequest]
) -> list[list[models.ScoredPoint]]:
    answers: Any = connection.call(
        lambda client: client.query_batch_points(connection.collection, requests)
    )
    return [answer.points for answer in answers]


def _hits(points: Sequence[models.ScoredPoint]) -> list[Hit]:
    return _sorted(
        [Hit(each.document_id, round(each.score, _DIGITS)) for each in _unrounded(points)]
    )


def _unrounded(points: Sequence[models.ScoredPoint]) -> list[Hit]:
    return [Hit(point.payload[RECORD]["id"], point.score) for point in points if point.payload]


def _lowest(points: Sequence[models.ScoredPoint]) -> float:
    return round(points[-1].score, _DIGITS)


def _sorted(hits: list[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.document_id))
