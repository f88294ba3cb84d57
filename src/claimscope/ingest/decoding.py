"""Turns bytes of unknown encoding into lines of text."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from claimscope.ingest.record import RECORD_LIMIT
from claimscope.ingest.streams import CHUNK, ByteSource

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


def decode(data: bytes | bytearray) -> str:
    """Decode as UTF-8, or else as Windows-1252 (which holds Latin-1's letters); drop NULs."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
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
    """Give a source's lines, ended by LF, CRLF or CR; a line over the record limit is passed by."""
    number = 0
    pending = bytearray()
    skipping = False
    for chunk in utf8_chunks(source):
        pending += chunk
        if b"\n" in chunk or b"\r" in chunk:
            pieces = bytes(pending).splitlines(keepends=True)
            # The last piece may go on in the next chunk, and a CR may be half of a CRLF.
            pending = bytearray(b"" if pieces[-1].endswith(b"\n") else pieces.pop())
            for piece in pieces:
                number += 1
                too_long = skipping or len(piece) > RECORD_LIMIT
                skipping = False
                yield number, None if too_long else decode(piece.rstrip(b"\r\n"))
        if len(pending) > RECORD_LIMIT:
            del pending[:-1]
            skipping = True
    if pending:
        yield number + 1, None if skipping else decode(pending.rstrip(b"\r\n"))
