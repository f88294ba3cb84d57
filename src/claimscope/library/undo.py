"""Undoes the last change of a library.

A change writes down the former version of everything it touches, in the transaction that touches
it. What was written first is what was there before, so a document that changes twice needs no
second entry, and an import that was cut short can be taken back as far as it came.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from claimscope.library.identity import identities
from claimscope.library.record import COLUMNS, ORIGINAL_COLUMNS, Original, Record, decode

if TYPE_CHECKING:
    from claimscope.library.store_writer import StoreWriter


@dataclass(frozen=True, slots=True)
class Undone:
    """A change that was undone, and its effect on the papers."""

    kind: str
    """"add" or "remove"."""
    at: str
    """When it was made, in UTC, ISO 8601."""
    removed: int = 0
    reverted: int = 0
    restored: int = 0

    @property
    def sentence(self) -> str:
        """The report as one sentence."""
        counts = {
            "removed": self.removed,
            "set back to the former version": self.reverted,
            "restored": self.restored,
        }
        parts = [
            f"{count:,} {'paper' if count == 1 else 'papers'} {words}"
            for words, count in counts.items()
            if count
        ]
        effect = ", ".join(parts) or "the duplicates it merged are forgotten; no paper changed"
        time = datetime.fromisoformat(self.at).strftime("%Y-%m-%d %H:%M")
        return f"Undid the {self.kind!r} of {time} UTC: {effect}."


class FormerVersions:
    """The state before the last change; call every method inside a transaction."""

    def __init__(self, connection: sqlite3.Connection, kind: str | None) -> None:
        """Prepare to note a change of a kind, or nothing if there is none."""
        self._connection = connection
        self._kind = kind
        self._is_begun = False

    def note_document(self, former: Record) -> None:
        """Save the former version of a document before it changes."""
        self._note("former_documents", COLUMNS, former.values)

    def note_new(self, ids: Iterable[str]) -> None:
        """Keep that there were no documents with these ids."""
        if self._kind is not None:
            self._begin()
            self._connection.executemany(
                "INSERT OR IGNORE INTO former_documents (id) VALUES (?)", [(name,) for name in ids]
            )

    def note_original(self, record_id: str, former: Original | None) -> None:
        """Save the former record of a merged document, or that there was none."""
        values = former.values if former else (None, None, record_id, *[None] * 6)
        self._note("former_originals", ORIGINAL_COLUMNS, values)

    def change(self) -> tuple[str, str] | None:
        """Give the kind and time of the last change, if it can be undone."""
        row: tuple[str, str] | None = self._connection.execute(
            "SELECT kind, at FROM last_change"
        ).fetchone()
        return row

    def documents(self) -> Iterator[tuple[str, Record | None]]:
        """Give the documents the change touched, as they were."""
        for row in self._connection.execute(f"SELECT {COLUMNS} FROM former_documents ORDER BY id"):
            yield row[0], Record(*row) if row[-1] is not None else None

    def originals(self) -> Iterator[tuple[str, Original | None]]:
        """Give the records of merged documents the change touched, as they were."""
        query = f"SELECT {ORIGINAL_COLUMNS} FROM former_originals ORDER BY id"
        for row in self._connection.execute(query):
            yield row[2], Original.from_row(row) if row[0] is not None else None

    def forget(self) -> None:
        """Forget the last change, so that it cannot be undone."""
        for table in ("former_documents", "former_originals", "last_change"):
            self._connection.execute(f"DELETE FROM {table}")

    def _note(self, table: str, columns: str, values: tuple[Any, ...]) -> None:
        if self._kind is None:
            return
        self._begin()
        marks = ", ".join("?" * len(values))
        self._connection.execute(
            f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", values
        )

    def _begin(self) -> None:
        """Let this change take the place of the last one, when its first entry is made."""
        if not self._is_begun:
            self.forget()
            now = datetime.now(UTC).isoformat(timespec="seconds")
            self._connection.execute("INSERT INTO last_change VALUES (?, ?)", (self._kind, now))
            self._is_begun = True


def take_back(writer: StoreWriter) -> Undone | None:
    """Restore the state before the last change, if there is one, inside a transaction."""
    change = writer.former.change()
    if change is None:
        return None
    removed = reverted = restored = 0
    for name, former in writer.former.documents():
        is_there = writer.drop(name)
        record = former and writer.whole(former)
        if record is not None:
            writer.put(record, identities(decode(record)))
        removed += is_there and record is None
        reverted += is_there and record is not None
        restored += not is_there and record is not None
    for name, original in writer.former.originals():
        writer.drop_original(name)
        if original is not None:
            writer.put_original(replace(original, record=writer.whole(original.record)))
    writer.former.forget()
    return Undone(*change, removed, reverted, restored)
