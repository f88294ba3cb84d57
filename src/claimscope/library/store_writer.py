"""Changes the documents of a store, in transactions that keep its sequence and revision true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from claimscope.library import passages
from claimscope.library.faults import library_faults
from claimscope.library.identity import Identities
from claimscope.library.record import COLUMNS, HASH_BYTES, ORIGINAL_COLUMNS, Original, Record
from claimscope.library.store import Known, Store
from claimscope.library.undo import FormerVersions

_MODULUS = 1 << (8 * HASH_BYTES)

_INSERT = (
    f"INSERT INTO documents (sequence, {COLUMNS}, doi, pmid, title_key)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class StoreWriter:
    """Changes a store; every method is called inside `transaction`.

    The revision is the sum of all content hashes: it does not depend on the order or the history
    of the documents, and one document's change costs one addition.
    """

    def __init__(self, store: Store, kind: str | None = None) -> None:
        """Open the store; a change of a kind, "add" or "remove", can be undone later."""
        self._folder = store.folder
        with library_faults(self._folder):
            self._connection = store.connect_writer()
        self._sequence = 0
        self._revision = 0
        self.former = FormerVersions(self._connection, kind)
        self._known = Known(self._connection)
        self._new: list[tuple[Any, ...]] = []
        """Documents that wait to be written together."""

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the changes inside one: all of them happen and last, or none."""
        with library_faults(self._folder):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._load_state()
                yield
                self._write_new()
                self._connection.execute(
                    "UPDATE state SET sequence = ?, revision = ?",
                    (self._sequence, f"{self._revision:0{2 * HASH_BYTES}x}"),
                )
                self._connection.execute("COMMIT")
            finally:
                self._new.clear()
                self._known.forget()
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def expect(self, ids: Sequence[str]) -> None:
        """Look ids up together, for the questions about each that follow in this transaction."""
        self._write_new()
        self._known.load(ids)

    def expect_identities(self, identities: Iterable[Identities]) -> None:
        """Look identities up together, for the search for lookalikes of each."""
        self._write_new()
        self._known.load_identities(identities)

    def put(self, record: Record, identities: Identities) -> None:
        """Write a document whose id is not there; drop a former version first."""
        self._sequence += 1
        keys = (identities.doi, identities.pmid, identities.title_key)
        self._new.append((self._sequence, *record.values, *keys))
        self._put_body(record)
        passages.put(self._connection, self._sequence, record)
        self._known.note(record.id, record.content_hash, identities)
        self._count(record.content_hash, 1)

    def drop(self, document_id: str) -> bool:
        """Remove a document's newest version and say whether there was one."""
        self._write_new()
        self._known.note(document_id, None)
        row = self._row(
            f"DELETE FROM documents WHERE id = ? RETURNING sequence, {COLUMNS}", document_id
        )
        if row is None:
            return False
        self._sequence += 1
        self._connection.execute(
            "INSERT INTO retired VALUES (?, ?, ?)", (row[0], self._sequence, document_id)
        )
        record = self.whole(Record(*row[1:]))
        self.former.note_document(record)
        passages.drop(self._connection, row[0], record)
        self._count(record.content_hash, -1)
        return True

    def content_hash(self, document_id: str) -> bytes | None:
        """Give the fingerprint of a document, if it is there."""
        if document_id in self._known.ids:
            return self._known.ids[document_id]
        self._write_new()
        row = self._row("SELECT content_hash FROM documents WHERE id = ?", document_id)
        return row[0] if row else None

    def lookalikes(self, identities: Identities) -> list[Record]:
        """Give the documents that share an identity: by DOI first, then PubMed id, then title."""
        found: dict[str, Record] = {}
        if self._known.lacks(identities):
            return []
        self._write_new()
        for column, value in (
            ("doi", identities.doi),
            ("pmid", identities.pmid),
            ("title_key", identities.title_key),
        ):
            if value is not None:
                rows = self._connection.execute(
                    f"SELECT {COLUMNS} FROM documents WHERE {column} = ? ORDER BY id LIMIT 20",
                    (value,),
                )
                found.update((row[0], self.whole(Record(*row))) for row in rows)
        return list(found.values())

    def original(self, record_id: str) -> Original | None:
        """Give a record that was merged, with the document it is part of and the reason."""
        if record_id in self._known.ids and record_id not in self._known.originals:
            return None
        row = self._row(f"SELECT {ORIGINAL_COLUMNS} FROM originals WHERE id = ?", record_id)
        original = Original.from_row(row) if row else None
        return original and replace(original, record=self.whole(original.record))

    def originals(self, kept_id: str) -> list[Record]:
        """Give the records that make up a document: its own first, then by id."""
        rows = self._connection.execute(
            f"SELECT {COLUMNS} FROM originals WHERE kept_id = ? ORDER BY id <> kept_id, id",
            (kept_id,),
        )
        return [self.whole(Record(*row)) for row in rows]

    def put_original(self, original: Original) -> None:
        """Keep a record that is one of several of the same paper."""
        self.former.note_original(original.record.id, self.original(original.record.id))
        self._known.originals.add(original.record.id)
        self._put_body(original.record)
        self._connection.execute(
            f"INSERT OR REPLACE INTO originals ({ORIGINAL_COLUMNS})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            original.values,
        )

    def drop_original(self, record_id: str) -> None:
        """Forget a record a document was made of, if it is there."""
        if former := self.original(record_id):
            self.former.note_original(record_id, former)
            self._connection.execute("DELETE FROM originals WHERE id = ?", (record_id,))

    def drop_originals(self, kept_id: str) -> None:
        """Forget the records a document was made of."""
        for record in self.originals(kept_id):
            self.drop_original(record.id)

    def forget_retired(self, applied: int) -> None:
        """Delete versions that the index no longer contains."""
        self._connection.execute("DELETE FROM retired WHERE ended_by <= ?", (applied,))

    def forget_full_texts(self) -> None:
        """Forget the full texts of records that are gone."""
        kept = " UNION ".join(
            f"SELECT content_hash FROM {table} WHERE content_hash IS NOT NULL"
            for table in ("documents", "originals", "former_documents", "former_originals")
        )
        self._connection.execute(f"DELETE FROM full_texts WHERE content_hash NOT IN ({kept})")

    def vacuum(self) -> None:
        """Give unused space back to the disk; called outside a transaction."""
        with library_faults(self._folder):
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _put_body(self, record: Record) -> None:
        if record.body:
            self._connection.execute(
                "INSERT OR IGNORE INTO full_texts VALUES (?, ?)", (record.content_hash, record.body)
            )

    def whole(self, record: Record) -> Record:
        """Give a record with its full text."""
        query = "SELECT body FROM full_texts WHERE content_hash = ?"
        row = self._connection.execute(query, (record.content_hash,)).fetchone()
        return replace(record, body=row[0]) if row else record

    def _write_new(self) -> None:
        """Write the documents that wait, before anything looks at the table or changes it."""
        if self._new:
            self.former.note_new([row[1] for row in self._new])
            self._connection.executemany(_INSERT, self._new)
            self._new.clear()

    def _load_state(self) -> None:
        row = self._connection.execute("SELECT sequence, revision FROM state").fetchone()
        self._sequence, self._revision = row[0], int(row[1], 16)

    def _count(self, content_hash: bytes, times: int) -> None:
        value = int.from_bytes(content_hash, "big")
        self._revision = (self._revision + times * value) % _MODULUS

    def _row(self, statement: str, value: str) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._connection.execute(statement, (value,)).fetchone()
        return row
