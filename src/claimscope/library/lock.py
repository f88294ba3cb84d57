"""One writer at a time: a lock the operating system lets go of when its process dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from claimscope.errors import LibraryLockedError

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    # Windows bars others from reading locked bytes, so a byte far behind the text is locked.

    def _lock(file: IO[str]) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _unlock(file: IO[str]) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


class WriterLock:
    """The right to write to a library; taken without waiting, and counted when taken again.

    The file stays behind when the lock is released: removing it would let two processes
    lock two different files of one name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[str] | None = None
        self._depth = 0

    def acquire(self) -> None:
        """Take the lock, or raise `LibraryLockedError` that names the process which has it."""
        if self._file is None:
            self._file = self._take()
        self._depth += 1

    def release(self) -> None:
        """Give the lock back when every `acquire` was answered."""
        self._depth -= 1
        if self._depth == 0 and self._file is not None:
            file, self._file = self._file, None
            file.truncate(0)
            _unlock(file)
            file.close()

    def _take(self) -> IO[str]:
        file = self.path.open("a+", encoding="ascii")
        try:
            _lock(file)
        except OSError as error:
            file.seek(0)
            owner = file.read(20).strip() or "unknown"
            file.close()
            raise LibraryLockedError(
                f"The library {self.path.parent} is being written by another process "
                f"(process {owner}); repeat the command when it is done."
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        return file
