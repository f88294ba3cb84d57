"""A library on this disk: one folder that survives crashes and finds itself again when opened.

library.sqlite   the documents; the truth
lexical/         the search index; derived, rebuilt whenever it is missing or broken
vectors/         kept free for dense vectors, derived as well
writer.lock      held by the process that writes
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from html import escape
from pathlib import Path

from claimscope.errors import InputError, LibraryLockedError, LibraryReadOnlyError
from claimscope.library import passages, recovery
from claimscope.library.copying import Transfer
from claimscope.library.deduplicate import Intake
from claimscope.library.faults import library_faults
from claimscope.library.filters import Filter
from claimscope.library.folder import open_index, prepare
from claimscope.library.importer import Batch, Item, batches
from claimscope.library.lexical import LexicalWriter
from claimscope.library.lock import LOCK_NAME, WriterLock
from claimscope.library.lookup import Lookup
from claimscope.library.naming import named
from claimscope.library.protocol import AddReport, Hit, PassageHit
from claimscope.library.record import Paper, decode
from claimscope.library.search import search
from claimscope.library.statistics import Statistics, size_on_disk, statistics
from claimscope.library.store import Store, page, papers
from claimscope.library.store_writer import StoreWriter
from claimscope.library.undo import Undone, take_back
from claimscope.library.verify import Problem, verify
from claimscope.types import Document

_PATIENCE = 0.5


class LocalLibrary(Lookup):
    """A `Library` in a folder: many readers, one writer at a time, safe to use from threads."""

    def __init__(self, folder: Path, *, create: bool = False, write: bool = False) -> None:
        """Open the library in a folder.

        With `create` a missing one is made; with `write` the writer's lock is held until `close`
        instead of for each change.
        """
        self._folder = folder
        self._lock = WriterLock(folder / LOCK_NAME)
        self._changing = threading.RLock()
        self._holds_lock = False
        prepare(folder, create)
        self._store = Store(folder)
        try:
            self._open(write)
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"<LocalLibrary {str(self._folder)!r}: {len(self)} papers>"

    def _repr_html_(self) -> str:
        return f"<p>Library <code>{escape(str(self._folder))}</code>: {len(self):,} papers</p>"

    @property
    def location(self) -> str:
        """The folder."""
        return str(self._folder)

    @property
    def revision(self) -> str:
        """A fingerprint of the contents: equal documents give equal revisions."""
        return self._store.revision

    @property
    def is_being_written(self) -> bool:
        """Whether somebody changes the library now: this process or another one."""
        lock = WriterLock(self._lock.path)
        try:
            lock.acquire()
        except LibraryLockedError:
            return True
        lock.release()
        return False

    @property
    def recovery(self) -> recovery.Recovery:
        """What opening this library had to repair."""
        return self._recovery

    def __len__(self) -> int:
        return len(self._store)

    def present(self, ids: Sequence[str]) -> dict[str, Document]:
        """Give those of these documents that exist, in this order."""
        found = self._store.get(ids)
        return {name: found[name] for name in ids if name in found}

    def page(self, after: str, limit: int) -> list[Document]:
        """Give so many documents after the one with an id, ordered by id."""
        return page(self._store, after, limit)

    def named(self, words: str) -> list[str]:
        """Give the ids of the papers that a text names: by id, DOI, PubMed id, URL or title."""
        return named(self._store, words)

    def documents(self) -> Iterator[Document]:
        """Give every document, ordered by id, as they were when the reading began."""
        return (decode(record) for record in self._store.records())

    def search(
        self, queries: Sequence[str], k: int, where: Filter | None = None
    ) -> list[list[Hit]]:
        """Rank by BM25 the k best documents for each query; ties are broken by id."""
        with library_faults(self._folder):
            return [search(self._store, self._index, query, k, where) for query in queries]

    def search_passages(
        self, queries: Sequence[str], k: int, within: Sequence[str] | None = None
    ) -> list[list[PassageHit]]:
        """Rank by BM25 the k best passages of full texts for each query."""
        return [passages.search(self._store, query, k, within) for query in queries]

    def add(
        self,
        documents: Iterable[Document],
        on_progress: Callable[[int], None] | None = None,
        merge: bool = True,
    ) -> AddReport:
        """Add or update documents; when it returns they are durable and searchable.

        The documents are taken batch by batch. `on_progress` is told every few seconds how many
        are durable and searchable so far; whatever interrupts the rest cannot harm them. Without
        `merge` two records of one paper stay two, as a benchmark needs it.
        """
        with self._change("add") as changing:
            intake = Intake(changing[0], merge)
            self._fill(changing, batches(documents), intake.take, on_progress)
            return intake.report

    def papers(self) -> Iterator[Paper]:
        """Give every paper with the records it was merged from, ordered by id."""
        return papers(self._store)

    def receive(
        self, papers: Iterable[Paper], on_progress: Callable[[int], None] | None = None
    ) -> AddReport:
        """Take papers of another library in as they are; merged ones stay as they were merged."""
        with self._change("add") as changing:
            transfer = Transfer(changing[0])
            self._fill(changing, batches(papers), transfer.take, on_progress)
            return transfer.report

    def remove(self, ids: Sequence[str]) -> int:
        """Remove documents and give the number removed."""
        with self._change("remove") as (writer, index_writer):
            with writer.transaction():
                count = 0
                for name in dict.fromkeys(ids):
                    count += writer.drop(name)
                    writer.drop_originals(name)
            recovery.stage(self._store, index_writer)
            index_writer.commit()
            return count

    def undo(self) -> Undone:
        """Take the last change back, an addition or a removal; there is one step and no redo."""
        with self._change() as (writer, index_writer):
            with writer.transaction():
                undone = take_back(writer)
            if undone is None:
                raise InputError(f"There is no change to undo in {self._folder}.")
            recovery.stage(self._store, index_writer)
            index_writer.commit()
            return undone

    def statistics(self) -> Statistics:
        """Count the contents."""
        with library_faults(self._folder):
            return statistics(self._store)

    def verify(self) -> Iterator[Problem]:
        """Name every disagreement in the store, and between store and index."""
        return verify(self._store, self._index)

    def rebuild(self) -> int:
        """Rebuild the index from the documents and count its entries."""
        with self._locked():
            return self._rebuild()

    def compact(self) -> int:
        """Free the space of removed documents and give the number of bytes.

        The last change cannot be undone after it.
        """
        with self._locked(), library_faults(self._folder):
            before = size_on_disk(self._folder)
            self._rebuild()
            with closing(StoreWriter(self._store)) as writer:
                with writer.transaction():
                    writer.forget_retired(self._index.applied.sequence)
                    writer.former.forget()
                    writer.forget_full_texts()
                writer.vacuum()
            return before - size_on_disk(self._folder)

    def close(self) -> None:
        """Close files and release locks."""
        self._store.close()
        if self._holds_lock:
            self._holds_lock = False
            self._lock.release()

    def _open(self, write: bool) -> None:
        if write:
            self._lock.acquire(_PATIENCE)
            self._holds_lock = True
        recovery.check_store(self._store)
        if not self._store.is_current():
            self._migrate()
        self._recovery = recovery.recover(self._store, self._lock)
        self._index = open_index(self._folder)

    def _migrate(self) -> None:
        try:
            with self._locked():
                self._store.migrate()
        except LibraryReadOnlyError:
            # Later versions added tables beside those of the documents.
            if not self._store.has_documents():
                raise

    def _rebuild(self) -> int:
        count = recovery.rebuild(self._store)
        self._index = open_index(self._folder)
        return count

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock against other threads and other processes."""
        with self._changing:
            self._lock.acquire(_PATIENCE)
            try:
                yield
            finally:
                self._lock.release()

    @contextmanager
    def _change(self, kind: str | None = None) -> Iterator[tuple[StoreWriter, LexicalWriter]]:
        """Open both halves for writing, in step with each other."""
        with self._locked():
            # Another process may have been cut short since this library was opened.
            recovery.recover(self._store, self._lock)
            with (
                closing(StoreWriter(self._store, kind)) as writer,
                closing(LexicalWriter(self._index.folder)) as index_writer,
            ):
                yield writer, index_writer

    def _fill(
        self,
        changing: tuple[StoreWriter, LexicalWriter],
        found: Iterator[Batch[Item]],
        take: Callable[[list[Item]], None],
        on_progress: Callable[[int], None] | None,
    ) -> None:
        writer, index_writer = changing
        count = 0
        for batch in found:
            with writer.transaction():
                take(batch.documents)
            recovery.stage(self._store, index_writer)
            count += len(batch.documents)
            if batch.ends_round:
                index_writer.commit()
                if on_progress is not None:
                    on_progress(count)

    def _kept_as(self, name: str) -> str | None:
        return self._store.kept_ids([name]).get(name)
