"""Opens files, compressed or not, as streams of bytes that can neither explode nor fail oddly."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from claimscope.errors import FormatError

CHUNK = 1 << 20
EXPANSION_FREE = 64 * CHUNK
"""Bytes a compressed file may expand to before its ratio is looked at."""
EXPANSION_RATIO = 200
"""Real records compress 3 to 30 times; a file that expands more than this is a bomb."""

_GZIP_MAGIC = b"\x1f\x8b"
_XZ_MAGIC = b"\xfd7zXZ\x00"


class ByteSource(Protocol):
    """Anything that gives bytes, and an empty string at its end."""

    def read(self, size: int, /) -> bytes:
        """Give at most this many bytes."""


class _Expanded:
    """The expanded bytes of a compressed file, refused when damaged or absurdly large."""

    def __init__(self, compressed: IO[bytes], expanded: gzip.GzipFile | lzma.LZMAFile) -> None:
        self._compressed = compressed
        self._expanded = expanded
        self._total = 0

    def read(self, size: int, /) -> bytes:
        try:
            # Not read(): of a file that is cut off, it would lose the bytes before the cut.
            data = self._expanded.read1(size)
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise FormatError(
                f"The compressed data are damaged ({error}); get a fresh copy of the file."
            ) from error
        self._total += len(data)
        allowed = max(EXPANSION_FREE, EXPANSION_RATIO * self._compressed.tell())
        if self._total > allowed:
            raise FormatError(
                f"The file expands to more than {EXPANSION_RATIO} times its size,"
                " which no real export does, so reading stopped."
            )
        return data


@contextmanager
def open_source(path: Path) -> Iterator[ByteSource]:
    """Open a file for reading bytes; gzip and xz are known by their first bytes and expanded."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise FormatError(f"The file cannot be opened: {error.strerror or error}.") from error
    with file:
        magic = file.read(len(_XZ_MAGIC))
        file.seek(0)
        if magic.startswith(_GZIP_MAGIC):
            with gzip.GzipFile(fileobj=file) as expanded:
                yield _Expanded(file, expanded)
        elif magic == _XZ_MAGIC:
            with lzma.LZMAFile(file) as expanded:
                yield _Expanded(file, expanded)
        else:
            yield file
