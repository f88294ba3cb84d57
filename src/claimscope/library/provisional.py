"""Takes a new library away again if nothing came into it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from claimscope.errors import LibraryLockedError
from claimscope.library.faults import library_faults
from claimscope.library.lock import LOCK_NAME, WriterLock
from claimscope.library.store import FILE_NAME, Store


@contextmanager
def kept_if_filled(folder: Path) -> Iterator[None]:
    """Remove a library that is made inside this context if no document ever came into it.

    The library must be closed when the context ends, which may be by an error. A library that was
    there before is left alone, and so are folders that were.
    """
    with library_faults(folder):
        is_new = not (folder / FILE_NAME).exists()
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        yield
    finally:
        if is_new:
            with library_faults(folder):
                _discard_empty(folder)
            # A folder that something else came into stays, and so do those above it.
            with suppress(OSError):
                for each in missing:
                    each.rmdir()


def _discard_empty(folder: Path) -> None:
    if not (folder / FILE_NAME).exists():
        return
    lock = WriterLock(folder / LOCK_NAME)
    try:
        lock.acquire()
    except LibraryLockedError:
        # Another process fills it.
        return
    try:
        if _is_untouched(folder):
            (folder / FILE_NAME).unlink()
            _clear(folder)
    finally:
        lock.release()


def _is_untouched(folder: Path) -> bool:
    with closing(Store(folder)) as store:
        return not store.is_current() or store.sequence == 0


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
