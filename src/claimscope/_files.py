"""Files: written whole or not at all, and read line by line, compressed or not."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from claimscope.errors import FormatError, InputError


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a temporary path to write to; it takes the place of `path` when the block ends well."""
    partial = path.with_name(f".{path.name}.part")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def open_binary(path: Path) -> IO[bytes] | gzip.GzipFile | lzma.LZMAFile:
    """Open a file for reading, decompressed."""
    try:
        if path.suffix == ".gz":
            return gzip.open(path)
        if path.suffix == ".xz":
            return lzma.open(path)
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be opened ({error.strerror}); check the name.") from error


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Give the lines that are not blank, numbered from 1; a byte-order mark is dropped."""
    with open_binary(path) as file:
        try:
            for number, raw in enumerate(file, 1):
                line = decode_line(path, number, raw).strip("\r\n")
                if line.strip():
                    yield number, line
        except (EOFError, gzip.BadGzipFile, lzma.LZMAError) as error:
            raise FormatError(
                f"{path.name} is cut off or damaged ({error}); get it again."
            ) from error


def decode_line(path: Path, number: int, raw: bytes) -> str:
    """Read one line as UTF-8, without the byte-order mark of a first line."""
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path.name}, line {number} is not UTF-8; save the file as UTF-8."
        ) from error
