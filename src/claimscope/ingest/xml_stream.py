"""Reads XML record by record in constant memory, expands no entity, skips what is not read.

References, affiliations and subject headings are half of a PubMed file and most of its elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from claimscope.errors import FormatError, RecordError
from claimscope.ingest.record import OVERSIZE, RECORD_LIMIT, Failure, Item
from claimscope.ingest.streams import CHUNK, ByteSource, open_source
from claimscope.types import Document

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


class _RecordBudget:
    """A source that gives at most `RECORD_LIMIT` bytes between two finished records."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self._spent = 0

    def read(self, size: int, /) -> bytes:
        if self._spent > RECORD_LIMIT:
            raise FormatError(f"{OVERSIZE[:-1]} with the rest of the file.")
        data = self._source.read(size)
        self._spent += len(data)
        return data

    def renew(self) -> None:
        """Begin a new record."""
        self._spent = 0


def read_records(
    path: Path,
    document: Callable[[etree._Element, str], Document],
    wanted: Collection[str],
    unwanted: Collection[str] = (),
    trim: Callable[[ByteSource], ByteSource] | None = None,
) -> Iterator[Item]:
    """Make a document of each wanted element, or a failure with the reason.

    `trim` may take out of the file's bytes what no document needs.
    """
    for found in _read_elements(path, wanted, unwanted, trim):
        if isinstance(found, Failure):
            yield found
        else:
            try:
                yield document(found, path.name)
            except RecordError as error:
                yield Failure(str(path), _line_of(found), str(error))


def _read_elements(
    path: Path,
    wanted: Collection[str],
    unwanted: Collection[str],
    trim: Callable[[ByteSource], ByteSource] | None,
) -> Iterator[etree._Element | Failure]:
    """Give each outermost element of a wanted name as it ends, then forget it and all before it.

    Elements of an unwanted name are emptied as they end. A document type declaration is allowed
    and not loaded; one that declares entities is refused. Broken XML ends the file with a failure,
    after the records before it.
    """
    with open_source(path) as source:
        budget = _RecordBudget(trim(source) if trim is not None else source)
        events = _parse(budget, (*wanted, *unwanted))
        depth = 0
        inspected = False
        try:
            for event, element in events:
                if not inspected:
                    _refuse_entities(element)
                    inspected = True
                if unwanted and etree.QName(element).localname in unwanted:
                    if event == "end":
                        element.clear()
                        budget.renew()
                    continue
                depth += 1 if event == "start" else -1
                if depth == 0:
                    yield element
                    _forget(element)
                    budget.renew()
        except etree.XMLSyntaxError as error:
            yield Failure(str(path), error.lineno or None, _explain(error, events))


def _parse(source: ByteSource, names: Collection[str]) -> etree.iterparse:
    return etree.iterparse(
        source,
        events=("start", "end"),
        tag=[f"{{*}}{name}" for name in names],
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _refuse_entities(element: etree._Element) -> None:
    declaration: Any = element.getroottree().docinfo.internalDTD
    if declaration is not None and declaration.entities():
        raise FormatError("The XML file declares entities of its own, so it is refused as unsafe.")


def _forget(element: etree._Element) -> None:
    """Free an element and its earlier siblings."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def first_children(parent: etree._Element) -> dict[str, etree._Element]:
    """Give the first child of each name; faster than searching for each."""
    return {child.tag: child for child in parent[::-1]}


def _explain(error: etree.XMLSyntaxError, events: etree.iterparse) -> str:
    message = events.error_log[0].message if len(events.error_log) else error.msg
    return f"The XML is broken here ({str(message).strip()}), so the rest of the file was not read."


def text_of(element: etree._Element | None) -> str:
    """Give all text in an element; names of undeclared entities stay, for cleaning to resolve."""
    if element is None:
        return ""
    if len(element) == 0:
        return element.text or ""
    return "".join(map(str, element.itertext()))


def _line_of(element: etree._Element) -> int | None:
    """Give the line of the file on which an element begins."""
    line = element.sourceline
    return line if isinstance(line, int) else None
