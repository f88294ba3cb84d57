"""The documents of a library in one SQLite file.

Durability: the file runs in WAL mode with ``synchronous=FULL``, so a committed transaction is on
the disk before `commit` returns and survives a killed process and a power cut alike. (For a
killed process alone, NORMAL would do; one more fsync for every 2,000 documents costs nothing.)
Readers have their own connection, see the last committed state and never wait for the writer.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from claimscope.library.faults import library_faults
from claimscope.library.identity import Identities
from claimscope.library.migrations import is_current, migrate
from claimscope.library.reader import Reader, connect
from claimscope.library.record import (
    COLUMNS,
    ORIGINAL_COLUMNS,
    Original,
    Paper,
    Record,
    decode,
    decode_meta,
)
from claimscope.types import Document, Metadata

FILE_NAME = "library.sqlite"

_PAGE = 1_000
"""Rows fetched at a time when every document is read."""


class Store:
    """Reads a library's documents; `StoreWriter` changes them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        with library_faults(folder):
            self._reader = Reader(self.path)

    @property
    def path(self) -> Path:
        """The SQLite file."""
        return self.folder / FILE_NAME

    def is_current(self) -> bool:
        """Say whether the tables have this version's form."""
        with library_faults(self.folder), self._lock:
            return is_current(self._reader.connection, self.folder)

    def has_documents(self) -> bool:
        """Say whether there are tables of documents, which every version can read."""
        return bool(self.rows("SELECT 1 FROM sqlite_schema WHERE name = 'state'"))

    def migrate(self) -> None:
        """Bring the tables to this version's form; the caller holds the writer's lock."""
        with library_faults(self.folder), closing(self.connect_writer()) as connection:
            migrate(connection)
        self.__dict__.pop("has_full_texts", None)

    @cached_property
    def has_full_texts(self) -> bool:
        """Say whether there is a table of full texts, which an old read-only library lacks."""
        return bool(self.rows("SELECT 1 FROM sqlite_schema WHERE name = 'full_texts'"))

    @property
    def record_source(self) -> str:
        """What to select whole records from."""
        return f"{COLUMNS}, {self.body_source('documents')}"

    def body_source(self, table: str) -> str:
        """Give the last column of whole records, and the tables to select them from."""
        if self.has_full_texts:
            return f"body FROM {table} LEFT JOIN full_texts USING (content_hash)"
        return f"NULL FROM {table}"

    @property
    def library_id(self) -> str:
        """The id that the library got when it was made; empty in one of a former version."""
        if not self.rows("SELECT 1 FROM sqlite_schema WHERE name = 'library'"):
            return ""
        return str(self.rows("SELECT id FROM library")[0][0])

    @property
    def state(self) -> tuple[int, str]:
        """The number of the last change, and the revision after it."""
        sequence, revision = self.rows("SELECT sequence, revision FROM state")[0]
        return int(sequence), str(revision)

    @property
    def sequence(self) -> int:
        """The number of the last change."""
        return int(self.rows("SELECT sequence FROM state")[0][0])

    @property
    def revision(self) -> str:
        """The fingerprint of all documents."""
        return str(self.rows("SELECT revision FROM state")[0][0])

    def __len__(self) -> int:
        return int(self.rows("SELECT COUNT(*) FROM documents")[0][0])

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one reading statement."""
        with library_faults(self.folder), self._lock:
            return self._reader.rows(statement, *values)

    def get(self, ids: Sequence[str]) -> dict[str, Document]:
        """Give those of these documents that exist."""
        rows = self.rows(
            f"SELECT {self.record_source} WHERE id IN (SELECT value FROM json_each(?))",
            json.dumps(ids),
        )
        return {row[0]: decode(Record(*row)) for row in rows}

    def metadata(self, ids: Sequence[str]) -> dict[str, Metadata]:
        """Give the metadata of those of these documents that exist."""
        rows = self.rows(
            "SELECT id, meta FROM documents WHERE id IN (SELECT value FROM json_each(?))",
            json.dumps(ids),
        )
        return {name: decode_meta(meta) for name, meta in rows}

    def kept_ids(self, ids: Sequence[str]) -> dict[str, str]:
        """Map ids of merged documents to the document that holds them."""
        return dict(
            self.rows(
                "SELECT id, kept_id FROM originals"
                " WHERE id <> kept_id AND id IN (SELECT value FROM json_each(?))",
                json.dumps(ids),
            )
        )

    def records(self) -> Iterator[Record]:
        """Give every record, ordered by id, as they were when the reading began."""
        for row in self.stream(f"SELECT {self.record_source} ORDER BY id"):
            yield Record(*row)

    def stream(self, statement: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Run one query on a separate connection, one page of rows at a time."""
        with library_faults(self.folder), closing(Reader(self.path)) as reader:
            cursor = reader.connection.execute(statement, values)
            while rows := cursor.fetchmany(_PAGE):
                yield from rows

    def ids_of(self, sequences: Iterable[int]) -> dict[int, str]:
        """Say which documents the index entries with these sequences belong to, if to any.

        An entry for a former version of a document still counts while the index has not caught
        up, so that an update never hides a document for a moment.
        """
        wanted = set(sequences)
        among = " IN (SELECT value FROM json_each(?))"
        found: dict[int, str] = dict(
            self.rows(
                f"SELECT sequence, id FROM documents WHERE sequence {among}",
                json.dumps(list(wanted)),
            )
        )
        if missing := wanted - found.keys():
            former = self.rows(
                "SELECT retired.sequence, id FROM retired JOIN documents USING (id)"
                f" WHERE retired.sequence {among}",
                json.dumps(list(missing)),
            )
            found.update(former)
        return found

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._reader.close()

    def connect_writer(self) -> sqlite3.Connection:
        """Open a connection that may change the file; the caller holds the writer's lock."""
        connection = connect(self.path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection


def papers(store: Store) -> Iterator[Paper]:
    """Give every paper with the records it was merged from, ordered by id."""
    rows = store.stream(
        f"SELECT {ORIGINAL_COLUMNS}, {store.body_source('originals')}"
        " ORDER BY kept_id, id <> kept_id, id"
    )
    groups = groupby(map(Original.from_row, rows), key=lambda original: original.kept_id)
    merged = next(groups, None)
    for record in store.records():
        while merged is not None and merged[0] < record.id:
            merged = next(groups, None)
        if merged is not None and merged[0] == record.id:
            yield Paper(record, tuple(merged[1]))
        else:
            yield Paper(record)


def page(store: Store, after: str, limit: int) -> list[Document]:
    """Give up to `limit` documents whose ids follow an id, in order."""
    rows = store.rows(
        f"SELECT {store.record_source} WHERE id > ? ORDER BY id LIMIT ?", after, limit
    )
    return [decode(Record(*row)) for row in rows]


_COLUMNS = ("doi", "pmid", "title_key")


class Known:
    """Ids and identities that were looked up together; they hold until the transaction ends."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.forget()

    def forget(self) -> None:
        """Know nothing."""
        self.ids: dict[str, bytes | None] = {}
        """The fingerprint of the document with an id, or None if there is no such document."""
        self.originals: set[str] = set()
        """Those of the ids that are records of merged documents."""
        self._looked_up: set[tuple[str, object]] = set()
        self._present: set[tuple[str, object]] = set()

    def load(self, ids: Sequence[str]) -> None:
        """Look up ids."""
        wanted = json.dumps(ids)
        among = "WHERE id IN (SELECT value FROM json_each(?))"
        self.ids = dict.fromkeys(ids)
        self.ids.update(
            self._connection.execute(f"SELECT id, content_hash FROM documents {among}", (wanted,))
        )
        rows = self._connection.execute(f"SELECT id FROM originals {among}", (wanted,))
        self.originals = {name for (name,) in rows}

    def load_identities(self, identities: Iterable[Identities]) -> None:
        """Look up which identities any document has."""
        self._looked_up = {pair for each in identities for pair in _pairs(each)}
        self._present = set()
        for column in _COLUMNS:
            values = [value for name, value in self._looked_up if name == column]
            rows = self._connection.execute(
                "SELECT value FROM json_each(?) WHERE EXISTS"
                f" (SELECT 1 FROM documents WHERE {column} = value)",
                (json.dumps(values),),
            )
            self._present.update((column, value) for (value,) in rows)

    def lacks(self, identities: Identities) -> bool:
        """Whether certainly no document has one of these identities."""
        pairs = _pairs(identities)
        return pairs <= self._looked_up and pairs.isdisjoint(self._present)

    def note(
        self, document_id: str, content_hash: bytes | None, identities: Identities | None = None
    ) -> None:
        """Keep up with a document that was written, or removed."""
        if document_id in self.ids:
            self.ids[document_id] = content_hash
        if identities is not None:
            self._present |= _pairs(identities)


def _pairs(identities: Identities) -> set[tuple[str, object]]:
    values = (identities.doi, identities.pmid, identities.title_key)
    return {
        (column, value) for column, value in zip(_COLUMNS, values, strict=True) if value is not None
    }
