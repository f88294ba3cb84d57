"""Cuts elements that nobody reads out of XML before it is parsed, which saves most of the time.

References, affiliations and subject headings are half of a PubMed file and most of its elements.
"""

from __future__ import annotations

from collections.abc import Collection

from claimscope.ingest.streams import CHUNK, ByteSource

_LITERAL = (b"<!--", b"<![")
"""Inside comments and CDATA sections a tag is no tag, so a file that has them is left alone."""


class WithoutElements:
    """A source without the elements of some names; every other byte and line stays in its place.

    The stream is handed on in pieces that end with `boundary`, a tag that lies in none of these
    elements. An element with attributes, or in an encoding other than ASCII's, is not cut.
    """

    def __init__(self, source: ByteSource, names: Collection[str], boundary: bytes) -> None:
        self._source = source
        self._tags = [(f"<{name}>".encode(), f"</{name}>".encode()) for name in names]
        self._boundary = boundary
        self._held = b""
        self._cuts = True

    def read(self, size: int, /) -> bytes:
        """Give the next piece, which may be longer than the size asked for."""
        while self._cuts:
            data = self._source.read(size)
            whole, end, rest = (self._held + data).rpartition(self._boundary)
            if any(mark in whole or mark in rest for mark in _LITERAL) or len(rest) > CHUNK:
                self._cuts = False
            elif data and not end:
                self._held = rest
                continue
            elif data:
                self._held = rest
                return self._cut(whole + end)
            self._held = b""
            return whole + end + rest
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
