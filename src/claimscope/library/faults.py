"""The errors of SQLite, tantivy and the file system, told as library errors in one sentence."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from claimscope.errors import (
    LibraryDamagedError,
    LibraryError,
    LibraryFullError,
    LibraryLockedError,
)

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_PERMISSION = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_FULL_TEXTS = ("no space left", "quota exceeded", "file too large")
_PRIMARY_CODE = 0xFF
"""SQLite keeps the kind of an error in the low byte of its code and details in the others."""
_SQLITE_READS = frozenset({sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ})


@contextmanager
def library_faults(folder: Path) -> Iterator[None]:
    """Turn what fails below, in the files of the library in this folder, into a library error."""
    try:
        yield
    except sqlite3.Error as error:
        raise _from_sqlite(folder, error) from error
    except OSError as error:
        raise _from_system(folder, error) from error


def full(folder: Path) -> LibraryFullError:
    """Give the error for a disk, or a quota, without room."""
    return LibraryFullError(
        f"The disk that holds the library {folder} is full; "
        "free some space and repeat the command: what was acknowledged is safe."
    )


def from_engine(folder: Path, error: ValueError) -> LibraryError:
    """Tell an error of tantivy, which gives all of them one type and differs in the text only."""
    if any(text in str(error).lower() for text in _FULL_TEXTS):
        return full(folder)
    return LibraryError(
        f"The search index of the library {folder} cannot be written ({error}); "
        "run 'claimscope library rebuild' to make it anew from the documents."
    )


def _from_sqlite(folder: Path, error: sqlite3.Error) -> LibraryError:
    code = getattr(error, "sqlite_errorcode", None) or 0
    kind = code & _PRIMARY_CODE
    if kind == sqlite3.SQLITE_FULL or (kind == sqlite3.SQLITE_IOERR and code not in _SQLITE_READS):
        return full(folder)
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryLockedError(
            f"Another process keeps the library {folder} busy; repeat the command when it is done."
        )
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return _no_permission(folder)
    if not code:
        return LibraryError(f"The library {folder} cannot be used ({error}).")
    return LibraryDamagedError(
        f"The store of the library {folder} cannot be read ({error}); "
        "restore the folder from a backup or import the papers into a new library."
    )


def _from_system(folder: Path, error: OSError) -> LibraryError:
    if error.errno in _FULL:
        return full(folder)
    if error.errno in _PERMISSION:
        return _no_permission(folder)
    return LibraryError(f"The library {folder} cannot be used ({error.strerror or error}).")


def _no_permission(folder: Path) -> LibraryError:
    return LibraryError(
        f"The library {folder} cannot be opened for lack of permission; "
        "make the folder and its files writable or choose another place with --library."
    )
