"""Writes the tables that lie beside the documents: jobs, saved verdicts and access tokens.

They are no part of the search index, so a change of theirs needs SQLite's own lock for a moment
and not the writer's lock: a service can accept a job while papers are being added.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from claimscope.library.faults import library_faults
from claimscope.library.store import Store


class Ledger:
    """A library's file, opened a second time beside the library; safe to use from threads."""

    def __init__(self, folder: Path) -> None:
        """Open the file; the library in the folder was opened before, so its tables are current."""
        self.folder = folder
        self.store = Store(folder)
        self._lock = threading.Lock()
        with library_faults(folder):
            self._connection = self.store.connect_writer()

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one reading statement."""
        return self.store.rows(statement, *values)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Make the changes inside one: all of them happen and last, or none."""
        with library_faults(self.folder), self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
        self.store.close()
