"""Cuts elements that nobody reads out of XML before it is parsed, which saves most of the time.

References, affiliations and subject headings are half of a PubMed file and most of its elements.
"""

from __future__ import annotations

import re
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
        self._opening = re.compile(f"<({'|'.join(map(re.escape, names))})>".encode())
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
            if not data or len(rest) > CHUNK or _has_literal(piece):
                self._cuts, self._held = False, b""
                if piece:
                    return piece
            else:
                self._held = rest
                if end:
                    return self._cut(whole + end)
        return self._source.read(size)

    def _cut(self, data: bytes) -> bytes:
        kept, place, searched = [], 0, 0
        while opening := self._opening.search(data, searched):
            searched = opening.end()
            closing = b"</%b>" % opening[1]
            end = data.find(closing, searched)
            # One that does not end here, or holds another of its name, is kept.
            if end >= 0 and data.find(opening[0], searched, end) < 0:
                kept.append(data[place : opening.start()])
                # Its lines stay, so that those of the others keep their numbers.
                kept.append(b"\n" * data.count(b"\n", searched, end))
                place = searched = end + len(closing)
        return b"".join([*kept, data[place:]])


def _has_literal(piece: bytes) -> bool:
    # One search in place of several, for what most pieces do not have.
    return b"<!" in piece and any(mark in piece for mark in _LITERAL)
