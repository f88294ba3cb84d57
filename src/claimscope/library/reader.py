"""Reads a SQLite file in WAL mode, even in a read-only folder.

SQLite keeps an index of the log (`-shm`) beside the file and has to create it. In a folder that
cannot be written it fails, unless it is told that nobody changes the file (`immutable=1`;
https://sqlite.org/wal.html#read_only_databases). That is true as long as there is no log; a log
means that somebody writes, or was killed, and then the files that are there are enough.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from claimscope.errors import LibraryError

_BUSY_SECONDS = 10.0
_PRIMARY_CODE = 0xFF
_NOT_WRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
_TRIES = 20


def connect(path: Path, options: str = "mode=rw") -> sqlite3.Connection:
    """Open the file; `options` are those of an SQLite URI."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


class Reader:
    """A connection for reading that sees the last committed state."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open()

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement; if the file changed though it seemed not to, run it again."""
        for _ in range(_TRIES):
            try:
                rows = self.connection.execute(statement, values).fetchall()
            except sqlite3.Error:
                if not self._is_outdated():
                    raise
            else:
                if not self._is_outdated():
                    return rows
            self.close()
            self._open()
        return self.connection.execute(statement, values).fetchall()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def _open(self) -> None:
        self._unchanging: tuple[object, ...] | None = None
        self.connection = connect(self._path)
        try:
            # The first reading statement is what opens the log.
            self.connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            self.connection.close()
            if error.sqlite_errorcode & _PRIMARY_CODE not in _NOT_WRITABLE:
                raise
            self._open_unchanging()
        self.connection.execute("PRAGMA query_only = ON")

    def _open_unchanging(self) -> None:
        self._unchanging = self._stamp()
        if self._unchanging[-1]:
            raise LibraryError(
                f"The last change of the library {self._path.parent} was not finished, and you "
                "have no permission to write to its folder, so it cannot be read; run any "
                "claimscope command on it as a user who has."
            )
        self.connection = connect(self._path, "immutable=1")

    def _is_outdated(self) -> bool:
        return self._unchanging is not None and self._unchanging != self._stamp()

    def _stamp(self) -> tuple[object, ...]:
        """Tell whether the file was changed since, and last whether there is a log of changes."""
        status = self._path.stat()
        log = self._path.with_name(f"{self._path.name}-wal")
        has_log = log.exists() and log.stat().st_size > 0
        return status.st_mtime_ns, status.st_size, status.st_ino, has_log
