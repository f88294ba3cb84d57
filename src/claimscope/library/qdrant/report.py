"""Counts what a collection holds, and finds every disagreement in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qdrant_client import QdrantClient, models

from claimscope.library.qdrant.connection import Connection
from claimscope.library.qdrant.points import (
    BM25,
    HASH,
    IS_BARE,
    IS_RETRACTED,
    LANGUAGE,
    LENGTH,
    MARKS,
    RECORD,
    YEAR,
)
from claimscope.library.qdrant.reader import Reader
from claimscope.library.qdrant.state import State, Totals, read_state
from claimscope.library.qdrant.weighing import NOTABLE, drift
from claimscope.library.statistics import Statistics, by_language, by_year
from claimscope.library.verify import Fault, Problem, check_record

_MOST_VALUES = 100_000


def statistics(connection: Connection, reader: Reader) -> Statistics:
    """Count the contents, on the server; how many bytes they take it does not say."""
    documents = max(0, reader.count() - 1)
    years, languages, marks = (
        _counts(connection, each, documents) for each in (YEAR, LANGUAGE, MARKS)
    )
    return Statistics(
        documents=documents,
        without_abstract=marks.get(IS_BARE, 0),
        retracted=marks.get(IS_RETRACTED, 0),
        years=by_year(years),
        languages=by_language(languages),
        bytes_on_disk=None,
    )


def verify(connection: Connection, reader: Reader) -> Iterator[Problem]:
    """Name every disagreement; giving nothing means that all is well."""
    totals = Totals()
    for payload in reader.scroll([RECORD, HASH, LENGTH], size=250):
        entry = reader.entry(payload)
        totals = totals.plus(entry.record.content_hash, entry.length, 1)
        yield from check_record(entry.record)
    state = read_state(connection)
    if totals != state.totals:
        yield Problem(
            Fault.REVISION,
            state.totals.fingerprint,
            f"The {totals.documents:,} documents add up to revision {totals.fingerprint}, but the "
            f"library says {state.totals.documents:,} and {state.totals.fingerprint}.",
        )
    yield from _check_weights(state)
    yield from _check_index(reader)


def _check_weights(state: State) -> Iterator[Problem]:
    if state.is_weighing:
        yield Problem(Fault.WEIGHTS, "average", "The weighing of the documents was cut short.")
    elif (moved := drift(state)) > NOTABLE:
        yield Problem(
            Fault.WEIGHTS,
            "average",
            f"Documents are weighed with an average length of {state.average:.1f} tokens, but it "
            f"is {state.totals.average:.1f} now ({moved:.1%} apart), which moves scores slightly.",
        )


def _check_index(reader: Reader) -> Iterator[Problem]:
    """Look for documents that have words and cannot be found by them."""
    has_words = models.FieldCondition(key=LENGTH, range=models.Range(gt=0))
    has_weights = models.HasVectorCondition(has_vector=BM25)
    lost = models.Filter(must=[has_words], must_not=[has_weights])
    for payload in reader.scroll([f"{RECORD}.id"], lost):
        name = payload[RECORD]["id"]
        yield Problem(Fault.MISSING, name, f"Document {name!r} is not in the index.")


def _counts(connection: Connection, field: str, documents: int) -> dict[Any, int]:
    def request(client: QdrantClient) -> Any:
        return client.facet(connection.collection, field, limit=_MOST_VALUES, exact=True)

    found: dict[Any, int] = {
        each.value: each.count for each in connection.call(request).hits if each.count
    }
    if unknown := documents - sum(found.values()):
        found[None] = unknown
    return found
