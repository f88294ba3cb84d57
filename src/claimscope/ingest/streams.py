"""Opens files, compressed or not, as limited streams of bytes, and decodes them to lines."""

from __future__ import annotations

import codecs
import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from claimscope.errors import FormatError
from claimscope.ingest.encodings import USUAL, find_encoding
from claimscope.ingest.record import RECORD_LIMIT

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


Line = tuple[int, str | None]
"""A line's number, from 1, and its text without its ending; None where it was too long to load."""

_BOMS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)


def decode(data: bytes | bytearray, other: str = USUAL) -> str:
    """Decode as UTF-8, or else in another encoding; drop NULs."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode(other, errors="replace")
    return text.replace("\0", "") if "\0" in text else text


def utf8_chunks(source: ByteSource) -> Iterator[bytes]:
    """Give the bytes without a byte order mark; UTF-16 and UTF-32 become UTF-8."""
    chunk = source.read(CHUNK)
    mark, encoding = _byte_order_mark(chunk)
    chunk = chunk[len(mark) :]
    if encoding == "utf-8":
        while chunk:
            yield chunk
            chunk = source.read(CHUNK)
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    while chunk:
        yield decoder.decode(chunk).encode("utf-8", errors="replace")
        chunk = source.read(CHUNK)
    yield decoder.decode(b"", final=True).encode("utf-8", errors="replace")


def _byte_order_mark(chunk: bytes) -> tuple[bytes, str]:
    for mark, encoding in _BOMS:
        if chunk.startswith(mark):
            return mark, encoding
    return b"", "utf-8"


def read_lines(source: ByteSource) -> Iterator[Line]:
    """Give a source's lines, ended by LF, CRLF or CR; a line over the record limit is passed by.

    A line that is not UTF-8 is decoded in the encoding that the lines around the first one show.
    """
    number = 0
    other = ""
    for pieces in _pieces(source):
        for piece in pieces:
            number += 1
            if piece is None:
                yield number, None
                continue
            line = piece.rstrip(b"\r\n")
            if not other and not _is_utf8(line):
                other = find_encoding(each for each in pieces if each is not None)
            yield number, decode(line, other)


def _is_utf8(line: bytes) -> bool:
    if line.isascii():
        return True
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _pieces(source: ByteSource) -> Iterator[list[bytes | None]]:
    """Give lines with their ends, those of a chunk together; None for one that is too long."""
    pending = bytearray()
    skipping = False
    for chunk in utf8_chunks(source):
        pending += chunk
        if b"\n" in chunk or b"\r" in chunk:
            pieces = bytes(pending).splitlines(keepends=True)
            # The last piece may go on in the next chunk, and a CR may be half of a CRLF.
            pending = bytearray(b"" if pieces[-1].endswith(b"\n") else pieces.pop())
            lines = [piece if len(piece) <= RECORD_LIMIT else None for piece in pieces]
            if skipping and lines:
                lines[0], skipping = None, False
            yield lines
        if len(pending) > RECORD_LIMIT:
            del pending[:-1]
            skipping = True
    if pending:
        yield [None if skipping else bytes(pending)]
