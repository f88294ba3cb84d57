"""Cuts elements that nobody reads out of XML before it is parsed, which saves most of the time.

References, affiliations and subject headings are half of a PubMed file and most of its elements.
"""

from __future__ import annotations

from collections.abc import Collection

from claimscope.errors import FormatError
from claimscope.ingest.streams import CHUNK, ByteSource

_LITERAL = (b"<!--", b"<![")
"""Inside comments and CDATA sections a tag is no tag, so a file that has them is left alone."""


class WithoutElements:
    """A source without the elements of some names; every other byte and line stays in its place.

    The stream is handed on in pieces that end with `boundary`, a tag that lies in none of these
    elements; the source is read at least `size` bytes at a time. An element with attributes, or in
    an encoding other than ASCII's, is not cut.
    """

    def __init__(
        self, source: ByteSource, names: Collection[str], boundary: bytes, size: int = 1 << 18
    ) -> None:
        self._source = source
        self._tags = [(f"<{name}>".encode(), f"</{name}>".encode()) for name in names]
        self._boundary = boundary
        self._size = size
        self._held = b""
        self._cuts = True

    def read(self, size: int, /) -> bytes:
        """Give the next piece, which may be longer than the size asked for."""
        while self._cuts:
            try:
                data = self._source.read(max(size, self._size))
            except FormatError:
                # What came before the damage is given first; the next reading fails again.
                self._cuts = False
                if self._held:
                    return self._held
                raise
            piece = self._held + data
            whole, end, rest = piece.rpartition(self._boundary)
            if not data or len(rest) > CHUNK or any(mark in piece for mark in _LITERAL):
                self._cuts, self._held = False, b""
                if piece:
                    return piece
            else:
                self._held = rest
                if end:
                    return self._cut(whole + end)
        return self._source.read(size)

    def _cut(self, data: bytes) -> bytes:
        for opening, closing in self._tags:
            first, *others = data.split(opening)
            data = b"".join((first, *(_rest(part, opening, closing) for part in others)))
        return data


def _rest(part: bytes, opening: bytes, closing: bytes) -> bytes:
    """Give what follows an element's end, and its lines; one that does not end here is kept."""
    content, end, rest = part.partition(closing)
    return b"\n" * content.count(b"\n") + rest if end else opening + part
