"""Finds the files that names, folders and patterns stand for; it opens none of them."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from claimscope.ingest.record import Failure


def expand(given: str) -> Iterator[Path | Failure]:
    """Give the files that a name stands for; what is no file is a failure."""
    path = Path(given)
    if os.path.isdir(path):  # unlike Path.is_dir, it never raises
        yield from _walk(path)
    elif os.path.lexists(path):
        yield _regular(path)
    elif glob.has_magic(given):
        matches = sorted(glob.glob(given, recursive=True))
        if not matches:
            yield Failure(given, None, "No file matches this pattern.")
        for match in matches:
            yield from expand(match)
    else:
        yield Failure(given, None, "There is no such file or folder.")


def _regular(path: Path) -> Path | Failure:
    if os.path.isfile(path):
        return path
    return Failure(str(path), None, "This is not a regular file, so it was not read.")


def _walk(folder: Path) -> Iterator[Path | Failure]:
    """Give the files of a folder in order of name; one met twice through links is passed by."""
    seen: set[tuple[int, int]] = set()
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        try:
            status = path.stat()
            if not stat.S_ISDIR(status.st_mode):
                yield _regular(path)
            elif (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                entries = (entry for entry in path.iterdir() if not entry.name.startswith("."))
                waiting += sorted(entries, reverse=True)
        except OSError as error:
            yield _unreadable(path, error)


def _unreadable(path: Path, error: OSError) -> Failure:
    if path.is_symlink():
        return Failure(str(path), None, "This is a link to nowhere, so it was not read.")
    return Failure(str(path), None, f"This cannot be read: {in_words(error)}.")


def in_words(error: OSError) -> str:
    """Give the system's own words for what went wrong."""
    return error.strerror or str(error)
