"""The errors of SQLite, tantivy and the file system, told as library errors in one sentence."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from claimscope.errors import (
    LibraryDamagedError,
    LibraryError,
    LibraryFullError,
    LibraryLockedError,
    LibraryReadOnlyError,
)

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
NO_PERMISSION = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_FULL_TEXTS = ("no space left", "quota exceeded", "file too large")
_PRIMARY_CODE = 0xFF
"""SQLite keeps the kind of an error in the low byte of its code and details in the others."""


class IndexFailedError(LibraryError):
    """The index fails, though there is room on the disk; a new one is needed."""


@contextmanager
def library_faults(folder: Path) -> Iterator[None]:
    """Turn what fails below, in the files of the library in this folder, into a library error."""
    try:
        yield
    except sqlite3.Error as error:
        raise _from_sqlite(folder, error) from error
    except OSError as error:
        raise _from_system(folder, error) from error


def read_only(folder: Path) -> LibraryReadOnlyError:
    """Give the error for a library that may be read and not written."""
    return LibraryReadOnlyError(
        f"The library {folder} can be searched but not changed, for lack of permission; "
        "make the folder and its files writable or choose another place with --library."
    )


def full(folder: Path) -> LibraryFullError:
    """Give the error for a disk, or a quota, without room."""
    return LibraryFullError(
        f"The disk that holds the library {folder} is full; "
        "free some space and repeat the command: what was acknowledged is safe."
    )


@contextmanager
def engine_faults(folder: Path) -> Iterator[None]:
    """Do the same for tantivy, whose errors all have one type and differ in the text only."""
    try:
        with engine_panics(folder):
            yield
    except ValueError as error:
        # A failing thread of tantivy does not say why it failed.
        if any(text in str(error).lower() for text in _FULL_TEXTS) or not _has_room(folder):
            raise full(folder) from error
        raise IndexFailedError(
            f"The search index of the library {folder} fails ({error}); "
            "run 'claimscope library rebuild' to rebuild it from the documents."
        ) from error


@contextmanager
def engine_panics(folder: Path) -> Iterator[None]:
    """Turn what tantivy does on files it cannot make sense of into a library error."""
    try:
        yield
    except BaseException as error:
        # The class cannot be imported, and is no `Exception`.
        if type(error).__name__ != "PanicException":
            raise
        raise IndexFailedError(
            f"The search index of the library {folder} is damaged ({error}); "
            "run 'claimscope library rebuild' to make it anew from the documents."
        ) from error


def _has_room(folder: Path) -> bool:
    """Say whether a megabyte can be written."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1 << 20))
    except OSError as error:
        return error.errno not in _FULL
    return True


def _from_sqlite(folder: Path, error: sqlite3.Error) -> LibraryError:
    code = getattr(error, "sqlite_errorcode", None) or 0
    kind = code & _PRIMARY_CODE
    if kind == sqlite3.SQLITE_FULL or (kind == sqlite3.SQLITE_IOERR and not _has_room(folder)):
        return full(folder)
    if kind == sqlite3.SQLITE_IOERR:
        return LibraryError(f"The disk that holds the library {folder} fails; check the disk.")
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryLockedError(
            f"Another process keeps the library {folder} busy; repeat the command when it is done."
        )
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return _no_permission(folder)
    if not code:
        return _unusable(folder, str(error))
    return LibraryDamagedError(
        f"The store of the library {folder} cannot be read ({error}); "
        "restore the folder from a backup or import the papers into a new library."
    )


def _from_system(folder: Path, error: OSError) -> LibraryError:
    if error.errno in _FULL:
        return full(folder)
    if error.errno in NO_PERMISSION:
        return _no_permission(folder)
    return _unusable(folder, error.strerror or str(error))


def _unusable(folder: Path, why: str) -> LibraryError:
    return LibraryError(
        f"The library {folder} cannot be used ({why}); choose another folder with --library."
    )


def _no_permission(folder: Path) -> LibraryError:
    return LibraryError(
        f"The library {folder} cannot be opened for lack of permission; "
        "make the folder and its files writable or choose another place with --library."
    )
