"""Changes the papers of a collection in batches, each paper by one write of one point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

from qdrant_client import models

from claimscope.library.identity import Identities, identities
from claimscope.library.importer import Batch, Item
from claimscope.library.qdrant.batches import pieces
from claimscope.library.qdrant.connection import WRITING, Connection
from claimscope.library.qdrant.points import (
    FORMER_NAMES,
    NAMES,
    Entry,
    count_text,
    id_name,
    identity_names,
    point_id,
)
from claimscope.library.qdrant.reader import Reader
from claimscope.library.qdrant.state import Lease
from claimscope.library.record import Original, Record, decode

_PIECE = 200
"""Points of one request."""
_REQUESTS = 4
"""Requests that are under way at a time; whoever prepares more of them waits."""
_LOOKALIKES = 20


class Encoder(Protocol):
    """Turns texts into vectors of unit length."""

    def encode(self, texts: Sequence[str]) -> Any:
        """Give one row a text."""


class CollectionWriter:
    """Takes changes as `Intake` makes them; they are written when `batch` ends.

    While a batch is open, its changes are known here. What it needs to know of the collection is
    looked up together, when `expect` and `expect_identities` announce it.
    """

    def __init__(self, connection: Connection, lease: Lease, encoder: Encoder | None) -> None:
        """Begin to change a collection; the caller holds the lease."""
        self._connection = connection
        self._reader = Reader(connection)
        self._lease = lease
        self._encoder = encoder
        self._totals = lease.state.totals
        self._forget()

    def _forget(self) -> None:
        self._stamps: dict[str, tuple[bytes, int] | None] = {}
        """Content hash and length of the papers that were asked for."""
        self._records: dict[str, Record] = {}
        self._originals: dict[str, dict[str, Original]] = {}
        """The records of merged papers, by the id of the paper."""
        self._kept: dict[str, str | None] = {}
        """The paper that a record was merged into, of the records that were asked for."""
        self._alike: defaultdict[str, set[str]] = defaultdict(set)
        self._changed: dict[str, None] = {}
        self._terms: dict[str, Mapping[int, int]] = {}
        self._gone: set[str] = set()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Write the changes made inside; when it ends they are durable and searchable."""
        self._forget()
        before = self._totals
        try:
            yield
            if self._changed:
                self._write()
                self._lease.update(totals=self._totals)
        except BaseException:
            self._totals = before
            raise

    def fill(
        self,
        batches: Iterable[Batch[Item]],
        take: Callable[[list[Item]], None],
        on_progress: Callable[[int], None] | None,
    ) -> None:
        """Write batch after batch; `on_progress` is told how many documents are durable."""
        count = 0
        for each in batches:
            with self.batch():
                take(each.documents)
            count += len(each.documents)
            if on_progress is not None:
                on_progress(count)

    def expect(self, ids: Sequence[str]) -> None:
        """Look up papers and records by id."""
        found = self._reader.stamps(ids)
        self._stamps.update({each: found.get(each) for each in ids})
        self._kept.update(dict.fromkeys(ids))
        self._remember(self._reader.matching(FORMER_NAMES, map(id_name, ids)))

    def expect_identities(self, keys: Iterable[Identities]) -> None:
        """Look up the papers that have one of some identities."""
        wanted = {name for each in keys for name in identity_names(each)}
        self._remember(self._reader.matching(NAMES, sorted(wanted)))

    def content_hash(self, document_id: str) -> bytes | None:
        """Give the fingerprint of a paper, if it is there."""
        stamp = self._stamp(document_id)
        return stamp[0] if stamp else None

    def lookalikes(self, keys: Identities) -> list[Record]:
        """Give the papers that share an identity: by DOI first, then PubMed id, then title."""
        found: dict[str, Record] = {}
        for shared in identity_names(keys):
            for name in sorted(self._alike[shared])[:_LOOKALIKES]:
                found.setdefault(name, self._records[name])
        return list(found.values())

    def original(self, record_id: str) -> Original | None:
        """Give a record that was merged, with the paper it is part of and the reason."""
        if record_id not in self._kept:
            self.expect([record_id])
        kept = self._kept[record_id]
        return self._originals[kept][record_id] if kept is not None else None

    def originals(self, kept_id: str) -> list[Record]:
        """Give the records that make up a paper: its own first, then by id."""
        found = self._originals.get(kept_id, {})
        ids = sorted(found, key=lambda name: (name != kept_id, name))
        return [found[name].record for name in ids]

    def put_original(self, original: Original) -> None:
        """Keep a record that is one of several of the same paper."""
        name = original.record.id
        self._originals.setdefault(original.kept_id, {})[name] = original
        self._kept[name] = original.kept_id
        self._changed[original.kept_id] = None

    def drop_originals(self, kept_id: str) -> None:
        """Forget the records a paper was made of."""
        for name in self._originals.pop(kept_id, {}):
            self._kept[name] = None

    def drop(self, document_id: str) -> bool:
        """Remove a paper and say whether it was there; another `put` replaces it."""
        stamp = self._stamp(document_id)
        if stamp is None:
            return False
        self._totals = self._totals.plus(*stamp, -1)
        self._stamps[document_id] = None
        self._changed[document_id] = None
        self._gone.add(document_id)
        if former := self._records.pop(document_id, None):
            for shared in identity_names(identities(decode(former))):
                self._alike[shared].discard(document_id)
        return True

    def put(self, record: Record, keys: Identities) -> None:
        """Write a paper whose id is not there."""
        terms, length = count_text(record)
        self._totals = self._totals.plus(record.content_hash, length, 1)
        self._stamps[record.id] = record.content_hash, length
        self._records[record.id] = record
        self._terms[record.id] = terms
        self._changed[record.id] = None
        self._gone.discard(record.id)
        for shared in identity_names(keys):
            self._alike[shared].add(record.id)

    def _stamp(self, document_id: str) -> tuple[bytes, int] | None:
        if document_id not in self._stamps:
            self.expect([document_id])
        return self._stamps[document_id]

    def _remember(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            name = entry.record.id
            if name in self._records:
                continue
            self._records[name] = entry.record
            self._stamps[name] = entry.record.content_hash, entry.length
            if entry.originals:
                self._originals[name] = entry.originals
                self._kept.update(dict.fromkeys(entry.originals, name))
            for shared in identity_names(identities(entry.document)):
                self._alike[shared].add(name)

    def _write(self) -> None:
        """Write what changed: requests are made while earlier ones are on their way."""
        if not self._lease.state.average:
            # Until all are weighed again, the first papers stand for those that follow.
            self._lease.update(average=self._totals.average)
        with Requests() as requests:
            for ids in pieces((each for each in self._changed if each not in self._gone), _PIECE):
                requests.add(_upsert(self._connection, self._points(ids)))
            if self._gone:
                requests.add(_delete(self._connection, sorted(map(point_id, self._gone))))

    def _points(self, ids: Sequence[str]) -> list[models.PointStruct]:
        records = [self._records[each] for each in ids]
        vectors = encode(self._encoder, records)
        average = self._lease.state.average
        points = []
        for record, vector in zip(records, vectors, strict=True):
            terms = self._terms.get(record.id)
            if terms is None:
                terms, _ = count_text(record)
            stamp = self._stamps[record.id]
            length = stamp[1] if stamp else 0
            entry = Entry(record, length, self._originals.get(record.id, {}))
            points.append(entry.point(average, terms, vector))
        return points


class Requests:
    """Sends requests in parallel and waits for all of them; more than a few wait to be sent."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_REQUESTS)
        self._under_way: list[Future[object]] = []

    def add(self, request: Callable[[], object]) -> None:
        """Send a request; an earlier one that failed raises its error here."""
        self._under_way.append(self._threads.submit(request))
        if len(self._under_way) > _REQUESTS:
            self._under_way.pop(0).result()

    def __enter__(self) -> Requests:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            for each in self._under_way if kind is None else ():
                each.result()
        finally:
            self._threads.shutdown(cancel_futures=True)


def encode(encoder: Encoder | None, records: Sequence[Record]) -> list[list[float] | None]:
    """Give the vector of each paper, if there is an encoder."""
    if encoder is None:
        return [None] * len(records)
    texts = [f"{record.title} {record.abstract}".strip() for record in records]
    found: list[list[float] | None] = encoder.encode(texts).tolist()
    return found


def _upsert(connection: Connection, points: list[models.PointStruct]) -> Callable[[], object]:
    return lambda: connection.call(
        lambda client: client.upsert(connection.collection, points), WRITING
    )


def _delete(connection: Connection, ids: list[str]) -> Callable[[], object]:
    selector = models.PointIdsList(points=list(ids))
    return lambda: connection.call(
        lambda client: client.delete(connection.collection, selector), WRITING
    )
