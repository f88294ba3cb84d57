"""Reads JATS XML: the body's paragraphs, their xref elements, and the list of references."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from claimscope._identifiers import find_doi, find_year, parse_doi, parse_pmid
from claimscope.audit.citations import copy_stretch, extract
from claimscope.audit.manuscript import Block, BlockBuilder, Manuscript, Reference, Style
from claimscope.errors import FormatError
from claimscope.ingest.xml_stream import text_of

_NO_PROSE = frozenset(
    "fig fig-group table-wrap table-wrap-group disp-formula inline-formula fn label title graphic "
    "supplementary-material boxed-text code preformat".split()
)
_BROKEN_OFF = re.compile(r"\s*[(\[][\s,;–—-]*[)\]]")
_DASH = re.compile(r"\s*[-–—−]\s*")
_NUMBERED = re.compile(r"(.*?)(\d+)")
_LONGEST_RANGE = 60


def read(path: Path) -> Manuscript:
    """Read an article; entities are not expanded and nothing is fetched."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.parse(str(path), parser).getroot()
    except (etree.XMLSyntaxError, OSError) as error:
        raise FormatError(f"{path} cannot be read as XML ({error}); correct it there.") from None
    body = root.find(".//{*}body")
    if body is None:
        raise FormatError(f"{path} has no body, so it is no JATS article with its full text.")
    blocks = [block for paragraph in _paragraphs(body) if (block := _block(paragraph))]
    references = tuple(_reference(each) for each in root.iterfind(".//{*}ref-list//{*}ref"))
    has_marks = any(block.marks for block in blocks)
    return Manuscript(path.name, tuple(blocks if has_marks else map(extract, blocks)), references)


def _paragraphs(parent: etree._Element) -> Iterator[etree._Element]:
    """Give paragraphs in order; those inside another are part of it."""
    for child in parent.iterchildren(tag=etree.Element):
        name = etree.QName(child).localname
        if name == "p":
            yield child
        elif name not in _NO_PROSE:
            yield from _paragraphs(child)


def _block(paragraph: etree._Element) -> Block | None:
    builder = _Paragraph(paragraph.sourceline or 1)
    builder.read(paragraph)
    return builder.build()


class _Paragraph:
    """Collects the text of one paragraph; its line is that of the element it stands in."""

    def __init__(self, line: int) -> None:
        self._builder = BlockBuilder()
        self._line = line
        self._last: tuple[str, int] | None = None
        """The reference cited last and how much text there was then."""

    def read(self, element: etree._Element) -> None:
        """Read an element's text with that of its children."""
        self._add(element.text)
        for child in element:
            self._line = max(self._line, child.sourceline or 0)
            if isinstance(child.tag, str):
                name = etree.QName(child).localname
                if name == "xref" and child.get("ref-type") == "bibr":
                    self._cite(child)
                elif name == "p":
                    self._add(" ")
                    self.read(child)
                elif name not in _NO_PROSE and name != "xref":
                    self.read(child)
            self._add(child.tail)

    def build(self) -> Block | None:
        """Give the paragraph without the brackets that stood around its citations."""
        block = self._builder.build()
        return _without_brackets(block) if block else None

    def _add(self, text: str | None) -> None:
        if text:
            self._builder.add(text, self._line)
            self._line += text.count("\n")

    def _cite(self, child: etree._Element) -> None:
        keys = tuple((child.get("rid") or "").split())
        if self._last and keys:
            between = "".join(self._builder.pieces)[self._last[1] :]
            if _DASH.fullmatch(between):
                keys = (*_between(self._last[0], keys[0]), *keys)
        if keys:
            label = text_of(child) or keys[0]
            self._builder.cite(label, keys, Style.KEY)
            self._last = (keys[-1], self._builder.length)


def _between(first: str, last: str) -> tuple[str, ...]:
    """Give the ids between those of a range such as "B3" and "B6"."""
    one, other = _NUMBERED.fullmatch(first), _NUMBERED.fullmatch(last)
    if one is None or other is None or one[1] != other[1]:
        return ()
    low, high = int(one[2]), int(other[2])
    if not low < high <= low + _LONGEST_RANGE:
        return ()
    width = len(one[2]) if one[2].startswith("0") else 0
    return tuple(f"{one[1]}{number:0{width}d}" for number in range(low + 1, high))


def _without_brackets(block: Block) -> Block:
    """Leave out brackets that held citations only."""
    builder = BlockBuilder()
    marks = list(block.marks)
    reached = 0
    empty = [
        match
        for match in _BROKEN_OFF.finditer(block.text)
        if any(match.start() <= mark.start <= match.end() for mark in marks)
    ]
    cuts = [(match.start(), match.end()) for match in empty]
    for start, end in [*cuts, (len(block.text), len(block.text) + 1)]:
        while marks and marks[0].start < end:
            mark = marks.pop(0)
            copy_stretch(builder, block, reached, min(mark.start, start))
            reached = max(reached, min(mark.start, start))
            builder.cite(mark.label, mark.keys, mark.style)
        copy_stretch(builder, block, reached, start)
        reached = end
    return builder.build() or block


def _reference(element: etree._Element) -> Reference:
    cited = next(iter(element.iterfind(".//{*}element-citation")), None)
    cited = cited if cited is not None else element.find(".//{*}mixed-citation")
    entry = cited if cited is not None else element
    text = " ".join(" ".join(entry.itertext()).split())
    doi = text_of(entry.find(".//{*}pub-id[@pub-id-type='doi']"))
    pmid = text_of(entry.find(".//{*}pub-id[@pub-id-type='pmid']"))
    names = (entry.find(".//{*}surname"), entry.find(".//{*}collab"))
    author = next(filter(None, map(text_of, names)), "")
    return Reference(
        element.get("id") or "",
        text=text,
        title=text_of(entry.find(".//{*}article-title")),
        doi=parse_doi(doi) if doi else find_doi(text),
        pmid=parse_pmid(pmid) if pmid else None,
        year=find_year(text_of(entry.find(".//{*}year")) or text),
        authors=(author,) if author else (),
    )
