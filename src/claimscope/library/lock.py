"""One writer at a time: a lock the operating system lets go of when its process dies."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from claimscope.errors import LibraryLockedError
from claimscope.library.faults import NO_PERMISSION, library_faults, read_only

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    # Windows bars others from reading locked bytes, so a byte far behind the text is locked.

    def _lock(file: BinaryIO) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _unlock(file: BinaryIO) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


LOCK_NAME = "writer.lock"
"""The file in a library's folder that its writer locks."""

_OWNER_BYTES = 20
_RETRY_SECONDS = 0.02


class WriterLock:
    """The right to write to a library; counted when its owner takes it again.

    The file stays behind when the lock is released: removing it would let two processes
    lock two different files of one name. The owner's number is written over the last one's, so
    that a full disk cannot keep anybody from taking the lock.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None
        self._depth = 0

    def acquire(self, patience: float = 0.0) -> None:
        """Take the lock, or raise `LibraryLockedError` that names the process which has it.

        A writer has a little patience, in seconds, with readers that mend the index.
        """
        deadline = time.monotonic() + patience
        while self._file is None:
            try:
                with library_faults(self.path.parent):
                    self._file = self._take()
            except LibraryLockedError:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(_RETRY_SECONDS)
        self._depth += 1

    def release(self) -> None:
        """Give the lock back when every `acquire` was answered."""
        self._depth -= 1
        if self._depth == 0 and self._file is not None:
            file, self._file = self._file, None
            _unlock(file)
            file.close()

    def _take(self) -> BinaryIO:
        try:
            number = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            if error.errno not in NO_PERMISSION:
                raise
            raise read_only(self.path.parent) from error
        file = os.fdopen(number, "r+b", buffering=0)
        try:
            self._lock_for_this_process(file)
        except BaseException:
            file.close()
            raise
        return file

    def _lock_for_this_process(self, file: BinaryIO) -> None:
        try:
            _lock(file)
        except OSError as error:
            file.seek(0)
            owner = file.read(_OWNER_BYTES).decode("ascii", "replace").strip() or "unknown"
            raise LibraryLockedError(
                f"The library {self.path.parent} is being written by another process "
                f"(process {owner}); repeat the command when it is done."
            ) from error
        file.seek(0)
        file.write(str(os.getpid()).ljust(_OWNER_BYTES).encode("ascii"))


_LOCK = ".tantivy-meta.lock"


@contextmanager
def lockable(folder: Path) -> Iterator[Path]:
    """Give the folder, or one of links to its files; that is needed only while opening them."""
    if _can_lock(folder):
        yield folder
        return
    # Windows keeps files that are open.
    with tempfile.TemporaryDirectory(prefix="claimscope-", ignore_cleanup_errors=True) as place:
        for path in folder.absolute().iterdir():
            if path.suffix != ".lock":
                _link(path, Path(place) / path.name)
        yield Path(place)


def _can_lock(folder: Path) -> bool:
    try:
        os.close(os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666))
    except OSError as error:
        if error.errno not in NO_PERMISSION:
            raise
        return False
    return True


def _link(path: Path, to: Path) -> None:
    try:
        to.symlink_to(path)
    except OSError:
        # Windows lets not everybody make links.
        shutil.copyfile(path, to)
