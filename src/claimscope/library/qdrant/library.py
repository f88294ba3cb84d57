"""A library that is a collection of Qdrant, behind the same protocol as one in a folder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points

from claimscope.errors import ConfigurationError, LibraryError, UnknownNameError
from claimscope.library.copying import Transfer
from claimscope.library.deduplicate import Intake
from claimscope.library.filters import Filter
from claimscope.library.importer import batches
from claimscope.library.lookup import Lookup
from claimscope.library.protocol import AddReport, Hit
from claimscope.library.qdrant import collection, search, weighing
from claimscope.library.qdrant.address import read_access, read_address
from claimscope.library.qdrant.connection import Connection
from claimscope.library.qdrant.reader import Reader
from claimscope.library.qdrant.report import statistics, verify
from claimscope.library.qdrant.state import Lease, Watch, read_state
from claimscope.library.qdrant.writer import CollectionWriter, Encoder
from claimscope.library.record import Paper
from claimscope.library.recovery import Action, Recovery
from claimscope.library.statistics import Statistics
from claimscope.library.undo import Undone
from claimscope.library.verify import Problem
from claimscope.types import Document

_DEPTH = 100
_NONE = "none"
_ENCODERS = "claimscope.vectors"
"""The group of entry points that names encoders for vectors beside the words."""


class QdrantLibrary(Lookup):
    """A `Library` on a server: many readers, one writer at a time, safe to use from threads."""

    def __init__(self, url: str, *, create: bool = False, write: bool = False) -> None:
        """Open the library at a URL.

        With `create` a missing one is made; with `write` the right to change it is held until
        `close` instead of for each change.
        """
        address = read_address(url)
        self._connection = Connection(address, read_access(address))
        self._reader = Reader(self._connection)
        self._watch = Watch(self._connection)
        self._lease = Lease(self._connection)
        self._changing = threading.RLock()
        self._holds_lease = self._is_made = False
        self._recovery = Recovery()
        self._encoder_: Encoder | None = None
        try:
            self._open(create, write)
        except BaseException:
            self.close()
            raise

    @property
    def location(self) -> str:
        """The URL."""
        return self._connection.address.location

    @property
    def revision(self) -> str:
        """A fingerprint of the contents: equal documents give equal revisions.

        While documents are being added it is that of the last batch that is complete.
        """
        return read_state(self._connection).totals.fingerprint

    @property
    def is_being_written(self) -> bool:
        """Whether somebody changes the library now: this process or another one."""
        return self._watch.is_being_written()

    @property
    def recovery(self) -> Recovery:
        """What opening this library had to repair."""
        return self._recovery

    def __len__(self) -> int:
        # One point is the state.
        return max(0, self._reader.count() - 1)

    def present(self, ids: Sequence[str]) -> dict[str, Document]:
        """Give those of these documents that exist, in this order."""
        found = self._reader.entries(list(dict.fromkeys(ids)))
        return {name: found[name].document for name in ids if name in found}

    def page(self, after: str, limit: int) -> list[Document]:
        """Give so many documents after the one with an id, in an order of the server's own."""
        return [entry.document for entry in self._reader.page(after, limit)]

    def named(self, words: str) -> list[str]:
        """Give the ids of the papers that a text names: by id, DOI, PubMed id, URL or title."""
        return self._reader.named(words)

    def documents(self) -> Iterator[Document]:
        """Give every document, ordered by id; one that is removed meanwhile may be left out."""
        return (entry.document for entry in self._reader.in_order())

    def search(
        self, queries: Sequence[str], k: int, where: Filter | None = None
    ) -> list[list[Hit]]:
        """Rank by BM25 the k best documents for each query; ties are broken by id."""
        return search.search(self._connection, queries, k, where)

    def fused(
        self, queries: Sequence[str], k: int, where: Filter | None = None, depth: int = _DEPTH
    ) -> list[list[Hit]]:
        """Rank by reciprocal rank fusion of BM25 and vectors, on the server."""
        encoder = self._encoder()
        if encoder is None:
            raise ConfigurationError(
                f"The library {self.location} holds no vectors; make it with '?vectors=static'."
            )
        vectors = encoder.encode(list(queries)).tolist()
        return search.fused(self._connection, queries, vectors, k, where, depth)

    def add(
        self,
        documents: Iterable[Document],
        on_progress: Callable[[int], None] | None = None,
        merge: bool = True,
    ) -> AddReport:
        """Add or update documents; when it returns they are durable and searchable.

        The documents are taken batch by batch, and a batch that was acknowledged stays whatever
        interrupts the rest. Adding the same documents again goes on where that was.
        """
        with self._change() as writer:
            intake = Intake(writer, merge)
            writer.fill(batches(documents), intake.take, on_progress)
            return intake.report

    def papers(self) -> Iterator[Paper]:
        """Give every paper with the records it was merged from, ordered by id."""
        return (entry.paper for entry in self._reader.in_order())

    def receive(
        self, papers: Iterable[Paper], on_progress: Callable[[int], None] | None = None
    ) -> AddReport:
        """Take papers of another library in as they are; merged ones stay as they were merged."""
        with self._change() as writer:
            transfer = Transfer(writer)
            writer.fill(batches(papers), transfer.take, on_progress)
            return transfer.report

    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents and say how many were there."""
        with self._change() as writer, writer.batch():
            wanted = list(dict.fromkeys(ids))
            writer.expect(wanted)
            count = 0
            for name in wanted:
                count += writer.drop(name)
                writer.drop_originals(name)
            return count

    def undo(self) -> Undone:
        """Refuse: the server keeps no former versions."""
        raise LibraryError(
            f"The last change of {self.location} cannot be undone, since Qdrant keeps no former "
            "versions; restore a snapshot."
        )

    def statistics(self) -> Statistics:
        """Count the contents."""
        return statistics(self._connection, self._reader)

    def verify(self) -> Iterator[Problem]:
        """Name every disagreement between documents, index and state."""
        return verify(self._connection, self._reader)

    def rebuild(self) -> int:
        """Weigh every document anew with the average length of now, and count them."""
        with self._leased():
            return weighing.weigh_all(self._connection, self._lease)

    def compact(self) -> int:
        """Give 0: the server gives the space of removed documents back by itself."""
        return 0

    def close(self) -> None:
        """Let go of the connections and of the right to write."""
        if self._holds_lease:
            self._holds_lease = False
            self._lease.release(is_clean=True)
        if self._is_made:
            self._discard_empty()
        self._connection.close()

    def _open(self, create: bool, write: bool) -> None:
        address = self._connection.address
        collection.require_server(self._connection)
        dimensions = None
        if create and address.vectors != _NONE:
            dimensions = int(_open_encoder(address.vectors).encode([""]).shape[1])
        self._is_made = collection.prepare(self._connection, create, dimensions)
        read_state(self._connection)
        if write:
            self._acquire()
            self._holds_lease = True

    @contextmanager
    def _change(self) -> Iterator[CollectionWriter]:
        with self._leased():
            yield CollectionWriter(self._connection, self._lease, self._encoder())
            if weighing.is_due(self._lease.state):
                weighing.weigh_all(self._connection, self._lease)

    @contextmanager
    def _leased(self) -> Iterator[None]:
        """Hold the right to write against other threads, processes and machines."""
        with self._changing:
            self._acquire()
            is_clean = False
            try:
                yield
                is_clean = True
            finally:
                self._lease.release(is_clean)

    def _acquire(self) -> None:
        self._lease.acquire()
        try:
            self._recover()
        except BaseException:
            self._lease.release(is_clean=False)
            raise

    def _recover(self) -> None:
        """Mend what a client left that was killed."""
        if not self._lease.was_clean:
            totals = weighing.recount(self._reader)
            self._lease.update(totals=totals)
            self._lease.was_clean = True
            self._recovery = Recovery(Action.COUNTED, totals.documents)

    def _encoder(self) -> Encoder | None:
        name = read_state(self._connection).vectors
        if name == _NONE:
            return None
        if self._encoder_ is None:
            self._encoder_ = _open_encoder(name)
        return self._encoder_

    def _discard_empty(self) -> None:
        """Leave no collection behind into which no document came."""
        self._is_made = False
        if not len(self) and not read_state(self._connection).owner:
            collection.discard(self._connection)

    def _kept_as(self, name: str) -> str | None:
        return self._reader.kept_ids([name]).get(name)


def _open_encoder(name: str) -> Encoder:
    known = {point.name: point for point in entry_points(group=_ENCODERS)}
    if name not in known:
        raise UnknownNameError("kind of vectors", name, (*known, _NONE))
    encoder: Encoder = known[name].load()()
    return encoder
