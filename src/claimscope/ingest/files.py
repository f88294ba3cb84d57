"""Finds the files that names, folders and patterns match, and reads their records."""

from __future__ import annotations

import glob
import logging
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from claimscope.errors import ClaimscopeError
from claimscope.ingest.detect import FORMATS, detect, get_format
from claimscope.ingest.record import Failure, Format, Item, Skipped
from claimscope.types import Document


def expand(given: str) -> Iterator[Path | Failure]:
    """Give the files that a name matches; anything else is a failure."""
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


OnFile = Callable[[Path, Format], None]

_SKIPPED = "The file is in no format that can be read, so it was skipped."
_TOO_MUCH_MEMORY = (
    "Reading the file takes more memory than it may (MemoryError), so the rest of it was not read."
)
_LONGEST_REASON = 200
_log = logging.getLogger("claimscope.ingest")


def read(
    paths: Iterable[str | Path],
    format: str | None = None,  # noqa: A002 - the name that users of the library expect
    on_file: OnFile | None = None,
) -> Iterator[Document | Skipped | Failure]:
    """Read every record of files, folders (with all below them) and patterns such as "*.ris".

    The format of each file is found from its content unless it is forced by name. What cannot be
    read is yielded as a failure, a file or a record at a time, and never stops the rest; a file of
    no known format is skipped in a folder, and a failure if it was named. `on_file` is told of each
    file, and its format, before its records come.
    """
    forced = get_format(format) if format is not None else None
    return _read_all([str(path) for path in paths], forced, on_file)


def _read_all(
    paths: list[str], forced: Format | None, on_file: OnFile | None
) -> Iterator[Document | Skipped | Failure]:
    for given in paths:
        for found in expand(given):
            if isinstance(found, Failure):
                yield found
            else:
                yield from read_file(found, found == Path(given), forced, on_file)


def read_file(
    path: Path, is_named: bool, forced: Format | None, on_file: OnFile | None = None
) -> Iterator[Document | Skipped | Failure]:
    """Read every record of one file; `is_named` tells whether a user asked for this very file."""
    chosen = _choose(path, forced)
    if isinstance(chosen, Failure):
        yield chosen
    elif chosen is not None:
        if on_file is not None:
            on_file(path, chosen)
        yield from _read_file(path, chosen)
    elif is_named:
        yield Failure(str(path), None, _unrecognised())
    else:
        yield Skipped(str(path), _SKIPPED)


def _choose(path: Path, forced: Format | None) -> Format | Failure | None:
    try:
        return forced or detect(path)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one file, the others are read
        return _failure(path, error, "Its format cannot be found")


def _read_file(path: Path, chosen: Format) -> Iterator[Item]:
    is_empty = True
    try:
        for item in chosen.read(path):
            is_empty = False
            yield item
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one file, the others are read
        yield _failure(path, error, f"The file cannot be read as {chosen.label}")
    else:
        if is_empty:
            yield Failure(str(path), None, f"The file holds no {chosen.label} records.")


def _failure(path: Path, error: Exception, what: str) -> Failure:
    """Say in one sentence why a file failed; the log has the whole of what nobody foresaw."""
    if isinstance(error, ClaimscopeError):
        return Failure(str(path), None, str(error))
    if isinstance(error, OSError):
        return Failure(str(path), None, f"The file cannot be read: {in_words(error)}.")
    if isinstance(error, MemoryError):
        return Failure(str(path), None, _TOO_MUCH_MEMORY)
    _log.debug("%s: %s", path, what, exc_info=error)
    words = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_REASON].rstrip(" .:")
    return Failure(str(path), None, f"{what} ({words}).")


def _unrecognised() -> str:
    known = ", ".join(f"{each.name} ({each.label})" for each in FORMATS.values())
    return f"The file's format was not recognised; it must be one of: {known}."
