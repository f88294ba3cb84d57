"""Reads files, folders and patterns of mixed formats as one stream of records."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from claimscope.errors import FormatError
from claimscope.ingest.detect import detect
from claimscope.ingest.formats import FORMATS, get_format
from claimscope.ingest.record import Failure, Format, Item, Skipped
from claimscope.types import Document

OnFile = Callable[[Path, Format], None]


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
        for found in _expand(given):
            if isinstance(found, Failure):
                yield found
                continue
            try:
                chosen = forced or detect(found)
                if chosen is not None:
                    yield from _read_file(found, chosen, on_file)
                elif found == Path(given):
                    yield Failure(str(found), None, _unrecognised())
                else:
                    yield Skipped(str(found), "The file is in no format that can be read.")
            except FormatError as error:
                yield Failure(str(found), None, str(error))
            except OSError as error:
                yield Failure(str(found), None, f"The file cannot be read: {_words(error)}.")


def _read_file(path: Path, chosen: Format, on_file: OnFile | None) -> Iterator[Item]:
    if on_file is not None:
        on_file(path, chosen)
    is_empty = True
    for item in chosen.read(path):
        is_empty = False
        yield item
    if is_empty:
        yield Failure(str(path), None, f"The file holds no {chosen.label} records.")


def _unrecognised() -> str:
    known = ", ".join(f"{each.name} ({each.label})" for each in FORMATS.values())
    return f"The file's format was not recognised; it must be one of: {known}."


def _words(error: OSError) -> str:
    return error.strerror or str(error)


def _expand(given: str) -> Iterator[Path | Failure]:
    path = Path(given)
    if path.is_dir():
        yield from _walk(path, set())
    elif os.path.lexists(path):
        yield _regular(path)
    elif glob.has_magic(given):
        matches = sorted(glob.glob(given, recursive=True))
        if not matches:
            yield Failure(given, None, "No file matches this pattern.")
        for match in matches:
            yield from _expand(match)
    else:
        yield Failure(given, None, "There is no such file or folder.")


def _regular(path: Path) -> Path | Failure:
    if path.is_file():
        return path
    return Failure(str(path), None, "This is not a regular file, so it was not read.")


def _walk(folder: Path, seen: set[tuple[int, int]]) -> Iterator[Path | Failure]:
    """Give the files of a folder in order of name; one met twice through links is passed by."""
    try:
        status = folder.stat()
        if (status.st_dev, status.st_ino) in seen:
            return
        seen.add((status.st_dev, status.st_ino))
        entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        yield Failure(str(folder), None, f"The folder cannot be read: {_words(error)}.")
        return
    for entry in entries:
        if entry.is_dir():
            yield from _walk(entry, seen)
        else:
            yield _regular(entry)
