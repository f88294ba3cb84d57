"""Brings the lexical index to the state of the store: at opening, after a crash, by request."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from claimscope.errors import (
    LibraryDamagedError,
    LibraryError,
    LibraryFullError,
    LibraryLockedError,
    LibraryReadOnlyError,
)
from claimscope.library import lexical
from claimscope.library.applied import Applied, UnusableIndexError, read_applied, write_applied
from claimscope.library.faults import IndexFailedError, library_faults
from claimscope.library.lexical import LexicalIndex, LexicalWriter
from claimscope.library.lock import WriterLock
from claimscope.library.store import Store

_PAUSE = 0.3
_OBSTACLES: dict[type[LibraryError], str] = {
    LibraryLockedError: "another process is writing to it",
    LibraryFullError: "the disk is full",
    LibraryReadOnlyError: "it is read-only for you",
}
"""What may keep a reader from mending the index."""


class Action(Enum):
    """What was done to the index when a library was opened."""

    NOTHING = "nothing"
    CAUGHT_UP = "caught up"
    REBUILT = "rebuilt"
    DEFERRED = "deferred"
    COUNTED = "counted"


@dataclass(frozen=True, slots=True)
class Recovery:
    """What opening a library had to repair."""

    action: Action = Action.NOTHING
    documents: int = 0
    """How many were put into the index; with DEFERRED, how many changes still wait."""
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The action as one sentence; empty if nothing was done."""
        match self.action:
            case Action.NOTHING:
                return ""
            case Action.CAUGHT_UP:
                return (
                    "The last change of the library was interrupted; "
                    f"the search index has caught up ({self.documents:,} documents)."
                )
            case Action.REBUILT:
                return (
                    f"The search index was rebuilt from {self.documents:,} documents, "
                    f"because {self.reason}."
                )
            case Action.COUNTED:
                return (
                    "The last change of the library was interrupted; "
                    f"its {self.documents:,} documents were counted anew."
                )
            case Action.DEFERRED:
                return (
                    f"The last {self.documents:,} changes of the library cannot be searched yet, "
                    f"because {self.reason}."
                )


def recover(store: Store, lock: WriterLock) -> Recovery:
    """Make the index hold what the store holds, if it does not; readers need no lock for that.

    While another process writes, an index that is merely behind is left to that process.
    """
    try:
        return _attempt(store, lock)
    except (LibraryLockedError, LibraryReadOnlyError):
        # The other process may be exchanging one index for another at this very moment.
        time.sleep(_PAUSE)
        return _attempt(store, lock)


def rebuild(store: Store) -> int:
    """Build a new index, replace the old one with it, and count its entries.

    The caller holds the writer's lock. Searches go on in the old index meanwhile.
    """
    folder = store.folder / lexical.FOLDER_NAME
    fresh, old = folder.with_suffix(".new"), folder.with_suffix(".old")
    with library_faults(store.folder):
        for leftover in (fresh, old):
            _discard(leftover)
        fresh.mkdir()
        lexical.create(fresh)
        write_applied(fresh, Applied(store.library_id))
        with closing(LexicalWriter(fresh)) as writer:
            count = stage(store, writer)
            writer.commit()
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        _discard(old)
    return count


def check_store(store: Store) -> None:
    """Refuse a store without documents beside the index of a library that had some."""
    folder = store.folder / lexical.FOLDER_NAME
    try:
        applied = read_applied(folder)
    except UnusableIndexError:
        return
    if applied.sequence > 0 and not (store.has_documents() and store.sequence):
        raise LibraryDamagedError(
            f"The store {store.path} is empty, but the search index beside it is of a library "
            "with papers; restore the store from a backup, or delete the folder "
            f"{folder} and add the papers again."
        )


def _discard(path: Path) -> None:
    """Delete a folder, or whatever has its name."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def stage(store: Store, writer: LexicalWriter) -> int:
    """Hand the store's changes since the last staged one to the index, and count its documents."""
    staged = writer.staged
    latest, revision = store.state
    if staged == latest:
        return 0
    retired = store.rows(
        "SELECT sequence FROM retired WHERE ended_by > ? AND sequence <= ?", staged, staged
    )
    added = store.stream(
        "SELECT sequence, title || ' ' || abstract FROM documents WHERE sequence > ?"
        " ORDER BY sequence",
        staged,
    )
    texts = ((row[0], row[1]) for row in added)
    return writer.stage((row[0] for row in retired), texts, latest, revision)


def _attempt(store: Store, lock: WriterLock) -> Recovery:
    folder = store.folder / lexical.FOLDER_NAME
    behind = _behind(store, folder)
    if behind == 0:
        return Recovery()
    try:
        with _held(lock):
            return _recover(store, folder)
    except tuple(_OBSTACLES) as error:
        if behind is None:
            raise _unusable(store.folder, error) from error
        return Recovery(Action.DEFERRED, behind, _OBSTACLES[type(error)])


def _unusable(folder: Path, error: LibraryError) -> LibraryError:
    if not isinstance(error, LibraryReadOnlyError):
        return error
    return LibraryReadOnlyError(
        f"The search index of the library {folder} cannot be used, and you have no permission to "
        "make it anew; run 'claimscope library rebuild' as a user who has."
    )


def _recover(store: Store, folder: Path) -> Recovery:
    """Repair under the lock, looking again first: the former owner may have done it."""
    sequence = store.sequence
    if sequence == 0 and not folder.exists():
        rebuild(store)
        return Recovery()
    try:
        behind = _distance(store, LexicalIndex(folder).applied)
    except UnusableIndexError as error:
        return Recovery(Action.REBUILT, rebuild(store), str(error))
    if behind == 0:
        return Recovery()
    try:
        with closing(LexicalWriter(folder)) as writer:
            count = stage(store, writer)
            writer.commit()
    except IndexFailedError:
        return Recovery(Action.REBUILT, rebuild(store), "it could not be written")
    return Recovery(Action.CAUGHT_UP, count)


def _behind(store: Store, folder: Path) -> int | None:
    """Count the changes an index lacks; None when it cannot be used at all."""
    try:
        return _distance(store, LexicalIndex(folder).applied)
    except UnusableIndexError:
        return None


def _distance(store: Store, applied: Applied) -> int:
    """Count the changes an index lacks; one that cannot be this store's is unusable."""
    sequence, revision = store.state
    if applied.library != store.library_id:
        raise UnusableIndexError("it belongs to another library")
    if not 0 <= applied.sequence <= sequence:
        raise UnusableIndexError("it is ahead of the documents")
    # A library without any change has no revision that could be told from another's.
    if applied.sequence == sequence > 0 and applied.revision != revision:
        raise UnusableIndexError("it was made from other documents")
    return sequence - applied.sequence


@contextmanager
def _held(lock: WriterLock) -> Iterator[None]:
    lock.acquire()
    try:
        yield
    finally:
        lock.release()
