"""Reads the points of a collection."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Any

from qdrant_client import QdrantClient, models

from claimscope.errors import LibraryDamagedError
from claimscope.library.qdrant.batches import pieces
from claimscope.library.qdrant.connection import Connection
from claimscope.library.qdrant.points import (
    FORMER_NAMES,
    HASH,
    LENGTH,
    NAMES,
    RECORD,
    Entry,
    any_of,
    id_name,
    point_id,
    possible_names,
)
from claimscope.library.qdrant.state import STATE_ID

_PAGE = 1_000
_ENTRIES = 250
"""Points read at a time, without their texts and with them."""
_VALUES = 500
"""Values that one lookup asks for."""

Selection = bool | list[str]


class Reader:
    """Finds points by id and by the fields of their payload."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def entries(self, ids: Sequence[str]) -> dict[str, Entry]:
        """Give those of these papers that are there, in full."""
        found = self._payloads([point_id(each) for each in ids], True, _ENTRIES)
        entries = (self.entry(payload) for payload in found)
        return {each.record.id: each for each in entries}

    def stamps(self, ids: Sequence[str]) -> dict[str, tuple[bytes, int]]:
        """Give the content hash and the length of those of these papers that are there."""
        wanted = [f"{RECORD}.id", HASH, LENGTH]
        found = self._payloads([point_id(each) for each in ids], wanted, _PAGE)
        return {each[RECORD]["id"]: (bytes.fromhex(each[HASH]), each[LENGTH]) for each in found}

    def matching(self, name: str, values: Iterable[str]) -> Iterator[Entry]:
        """Give the papers of which a field has one of some values, in full."""
        for some in pieces(values, _VALUES):
            condition = models.Filter(must=[any_of(name, some)])
            for payload in self.scroll(True, condition, _ENTRIES):
                yield self.entry(payload)

    def scroll(
        self,
        selection: Selection,
        condition: models.Filter | None = None,
        size: int = _PAGE,
        after: str | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Give the payloads of all papers, or of some, in the order of their points."""
        offset: Any = after
        while True:
            points, offset = self._connection.call(
                _scrolling(self._connection.collection, selection, condition, size, offset)
            )
            for point in points:
                if str(point.id) not in (STATE_ID, after):
                    yield self._sound(point.payload)
            if offset is None:
                return

    def page(self, after: str, limit: int) -> list[Entry]:
        """Give so many papers after the one with an id, in the order of their points."""
        start = point_id(after) if after else None
        found = self.scroll(True, size=limit + 2, after=start)
        return [self.entry(payload) for payload in islice(found, limit)]

    def in_order(self) -> Iterator[Entry]:
        """Give every paper ordered by id; the ids are sorted on this disk, not in memory."""
        with closing(sqlite3.connect("")) as sorting:
            sorting.execute("CREATE TABLE ids (id TEXT PRIMARY KEY) WITHOUT ROWID")
            ids = ((each[RECORD]["id"],) for each in self.scroll([f"{RECORD}.id"]))
            sorting.executemany("INSERT OR IGNORE INTO ids VALUES (?)", ids)
            rows = sorting.execute("SELECT id FROM ids ORDER BY id")
            for some in pieces(rows, _ENTRIES):
                names = [name for (name,) in some]
                found = self.entries(names)
                # A paper that was removed meanwhile is passed over.
                yield from (found[name] for name in names if name in found)

    def kept_ids(self, ids: Sequence[str]) -> dict[str, str]:
        """Say for ids that were merged into another paper, which one it is."""
        wanted = set(ids)
        found: dict[str, str] = {}
        for entry in self.matching(FORMER_NAMES, map(id_name, ids)):
            kept = entry.record.id
            found.update((each, kept) for each in entry.originals if each in wanted - {kept})
        return found

    def named(self, text: str) -> list[str]:
        """Give the ids of the papers that a text names, all by the same kind of name."""
        whole = text.encode(errors="replace").decode().strip()
        if self.entries([whole]):
            return [whole]
        if kept := self.kept_ids([whole]):
            return sorted(kept.values())
        for name in possible_names(whole):
            own = self.ids_matching(NAMES, name)
            former = (
                set()
                if own and name.startswith(("title:", "short title:"))
                else self.ids_matching(FORMER_NAMES, name)
            )
            if own | former:
                return sorted(own | former)
        return []

    def ids_matching(self, name: str, value: str) -> set[str]:
        """Give the ids of the papers of which a field has a value."""
        condition = models.Filter(must=[any_of(name, [value])])
        return {each[RECORD]["id"] for each in self.scroll([f"{RECORD}.id"], condition)}

    def count(self, condition: models.Filter | None = None) -> int:
        """Count points, or those that meet a condition."""
        collection = self._connection.collection
        return self._connection.call(
            lambda client: client.count(collection, count_filter=condition, exact=True)
        ).count

    def entry(self, payload: dict[str, Any]) -> Entry:
        """Read a point."""
        return Entry.read(payload, self._connection.address.location)

    def _payloads(
        self, ids: Sequence[str], selection: Selection, size: int
    ) -> Iterator[dict[str, Any]]:
        for some in pieces(ids, size):
            points = self._connection.call(
                _retrieving(self._connection.collection, some, selection)
            )
            yield from (self._sound(point.payload) for point in points)

    def _sound(self, payload: dict[str, Any] | None) -> dict[str, Any]:
        if not payload or not isinstance(payload.get(RECORD), dict):
            raise LibraryDamagedError(
                f"The library {self._connection.address.location} holds a point that Claimscope "
                "did not write; remove it, or restore a snapshot."
            )
        return payload


def _scrolling(
    collection: str, selection: Selection, condition: models.Filter | None, size: int, offset: Any
) -> Any:
    def request(client: QdrantClient) -> Any:
        return client.scroll(
            collection, condition, limit=size, offset=offset, with_payload=selection
        )

    return request


def _retrieving(collection: str, ids: list[str], selection: Selection) -> Any:
    return lambda client: client.retrieve(collection, ids, with_payload=selection)
