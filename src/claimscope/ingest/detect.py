"""Finds the format of a file from its content."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from claimscope.errors import FormatError
from claimscope.ingest.decoding import utf8_chunks
from claimscope.ingest.formats import FORMATS
from claimscope.ingest.recognise import is_zip
from claimscope.ingest.record import Format
from claimscope.ingest.streams import ByteSource, open_source

HEAD = 64 * 1024
"""Bytes of a file that its format is recognised from."""


class _Head:
    """The first bytes of a source."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source

    def read(self, _size: int, /) -> bytes:
        return self._source.read(HEAD)


def detect(path: Path) -> Format | None:
    """Give a file's format, or None if it is in none known; an empty file is a `FormatError`."""
    with open_source(path) as source:
        head = b"".join(islice(utf8_chunks(_Head(source)), 1))
    if not head.strip(b"\0 \t\r\n"):
        raise FormatError("The file is empty.")
    for candidate in FORMATS.values():
        if candidate.recognises(head, path):
            return candidate
    if is_zip(head):
        raise FormatError("The file is a ZIP archive; unpack it and add the files inside it.")
    return None
