"""The tables of the service in a library's SQLite file: jobs, saved verdicts and access tokens.

They are not part of the search index. A change to them takes SQLite's own lock for a moment but
not the library's writer lock, so the service can accept a job while papers are being added.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from claimscope.errors import InputError
from claimscope.library.faults import library_faults
from claimscope.library.location import DEMO, is_remote, open_demo
from claimscope.library.store import FILE_NAME, Store


def state_folder(library: str, folder: str | None = None) -> Path:
    """Give the folder of the tables, which must be there: the library's own, if it has one.

    A library on a server has none: each service of it keeps jobs, verdicts and tokens on the
    disk of its own machine.
    """
    if not is_remote(library):
        if folder:
            raise InputError("--state is for libraries on a server; a folder holds its own jobs.")
        return Path(open_demo().location if library == DEMO else library).expanduser()
    return _prepared(Path(folder).expanduser() if folder else _default(library))


def _default(library: str) -> Path:
    name = blake2b(library.partition("?")[0].encode(), digest_size=8).hexdigest()
    return user_data_path("claimscope", appauthor=False) / "services" / name


def _prepared(folder: Path) -> Path:
    with library_faults(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE_NAME).touch()
    with closing(Store(folder)) as store:
        if not store.is_current():
            store.migrate()
    return folder


class Database:
    """A second connection to the file of an open library; safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        """Open the file; the library must be open already, so that its tables are migrated."""
        self.folder = folder
        self.store = Store(folder)
        self._lock = threading.Lock()
        with library_faults(folder):
            self._connection = self.store.connect_writer()

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement that reads."""
        return self.store.rows(statement, *values)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the changes of a `with` block in one transaction, rolled back after an error."""
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
