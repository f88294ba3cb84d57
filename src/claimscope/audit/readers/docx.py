"""Reads Word files: paragraphs, the fields of Zotero, Mendeley and Word, and typed citations."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from lxml import etree

from claimscope.audit.bibliography import csl_reference
from claimscope.audit.citations import expand_numbers, extract
from claimscope.audit.manuscript import Block, BlockBuilder, Manuscript, Reference, Style
from claimscope.audit.references import Entry, is_heading, parse_entries
from claimscope.errors import FormatError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_B = "{http://schemas.openxmlformats.org/officeDocument/2006/bibliography}"
_LARGEST = 200_000_000
"""Bytes that a file may expand to."""
_CSL = re.compile(r"ADDIN\s+(?:ZOTERO_ITEM\s+)?CSL_CITATION\s*(\{.*\})", re.DOTALL)
_WORD = re.compile(r"^\s*CITATION\s+(.*)$", re.DOTALL)
_LIST = re.compile(r"ZOTERO_BIBL|CSL_BIBLIOGRAPHY|Mendeley Bibliography|^\s*BIBLIOGRAPHY\b")
_SUPERSCRIPT = re.compile(r"\d{1,3}(?:\s*[-–,]\s*\d{1,3})*")
_LEFT_OUT = frozenset({f"{_W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "txbxContent")})


def read(path: Path) -> Manuscript:
    """Read the paragraphs of a Word file; places count paragraphs from 1."""
    document = _open(path)
    reader = _Reader()
    blocks: list[Block] = []
    entries: list[Entry] = []
    in_references = False
    for number, paragraph in enumerate(document.element.body.iter(f"{_W}p"), start=1):
        was_in_list = reader.in_list
        block = reader.read(paragraph, number)
        if block is None:
            continue
        if _is_heading(paragraph, document) or (is_heading(block.text) and len(block.text) < 40):
            in_references = is_heading(block.text)
        elif was_in_list or reader.in_list or in_references:
            entries.append(Entry("", block.text))
        else:
            blocks.append(block if block.marks else extract(block))
    own = (*reader.references.values(), *_word_sources(path), *parse_entries(entries))
    return Manuscript(path.name, tuple(blocks), own, place_name="paragraph")


def _open(path: Path) -> Any:
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    try:
        with ZipFile(path) as archive:
            if sum(item.file_size for item in archive.infolist()) > _LARGEST:
                raise FormatError(f"{path} expands to more than {_LARGEST // 1_000_000} MB.")
        return docx.Document(str(path))
    except (BadZipFile, PackageNotFoundError, KeyError, ValueError, etree.XMLSyntaxError) as error:
        raise FormatError(
            f"{path} is no Word file that can be read ({error}); save it again."
        ) from None


def _is_heading(paragraph: Any, document: Any) -> bool:
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    name = "" if style is None else style.get(f"{_W}val", "")
    return bool(re.match(r"heading|title|subtitle", name, re.IGNORECASE))


@dataclass(slots=True)
class _Field:
    """A field of Word: its instruction, and the text that it shows."""

    instruction: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    is_shown: bool = False


class _Reader:
    """Reads paragraphs in order; fields may begin in one and end in another."""

    def __init__(self) -> None:
        self.references: dict[str, Reference] = {}
        self._open: list[_Field] = []
        self._builder = BlockBuilder()

    @property
    def in_list(self) -> bool:
        """Whether a field with the list of references is open."""
        return any(_LIST.search("".join(each.instruction)) for each in self._open)

    def read(self, paragraph: Any, number: int) -> Block | None:
        """Read one paragraph."""
        self._builder = BlockBuilder()
        for element in _walk(paragraph):
            self._element(element, number)
        return self._builder.build()

    def _element(self, element: Any, number: int) -> None:
        tag = element.tag
        if tag == f"{_W}fldChar":
            self._switch(element.get(f"{_W}fldCharType"), number)
        elif tag == f"{_W}instrText" and self._open:
            self._open[-1].instruction.append(element.text or "")
        elif tag == f"{_W}fldSimple":
            self._open.append(_Field([element.get(f"{_W}instr", "")], is_shown=True))
        elif tag == _END:
            self._switch("end", number)
        elif tag == f"{_W}t":
            self._text(element, number)
        elif tag in {f"{_W}tab", f"{_W}br"}:
            self._builder.add(" ", number)

    def _text(self, element: Any, number: int) -> None:
        text = element.text or ""
        if self._open and not self.in_list:
            if self._open[-1].is_shown:
                self._open[-1].shown.append(text)
        elif _is_raised(element) and _SUPERSCRIPT.fullmatch(text.strip()):
            self._builder.cite(text, expand_numbers(text), Style.NUMBER)
        else:
            self._builder.add(text, number)

    def _switch(self, kind: str | None, number: int) -> None:
        if kind == "begin":
            self._open.append(_Field())
        elif kind == "separate" and self._open:
            self._open[-1].is_shown = True
        elif kind == "end" and self._open:
            self._close(self._open.pop(), number)

    def _close(self, done: _Field, number: int) -> None:
        instruction, shown = "".join(done.instruction), "".join(done.shown)
        keys = tuple(self._keys(instruction))
        if keys:
            self._builder.cite(shown or ", ".join(keys), keys, Style.KEY)
        elif self._open:
            self._open[-1].shown.append(shown)
        elif not _LIST.search(instruction):
            self._builder.add(shown, number)

    def _keys(self, instruction: str) -> Iterator[str]:
        """Give the keys that a field cites; what Zotero stores of each becomes a reference."""
        if match := _CSL.search(instruction):
            for item in _items(match[1]):
                data = item.get("itemData")
                uris = item.get("uris")
                first = uris[0] if isinstance(uris, list) and uris else ""
                key = str(first or item.get("id") or "")
                if key and isinstance(data, dict):
                    self.references[key] = replace(csl_reference(data, key), key=key)
                if key:
                    yield key
        elif match := _WORD.match(instruction):
            words = re.split(r"\\m\s", match[1])
            yield from (part.split()[0] for part in words if part.split())


_END = "end of a simple field"


@dataclass(frozen=True, slots=True)
class _End:
    tag: str = _END


def _walk(parent: Any) -> Iterator[Any]:
    """Give the elements of a paragraph in order, and the ends of simple fields."""
    for child in parent:
        if child.tag in _LEFT_OUT:
            continue
        yield child
        yield from _walk(child)
        if child.tag == f"{_W}fldSimple":
            yield _End()


def _is_raised(text: Any) -> bool:
    align = text.getparent().find(f"{_W}rPr/{_W}vertAlign")
    return align is not None and align.get(f"{_W}val") == "superscript"


def _items(text: str) -> list[dict[str, Any]]:
    try:
        items = json.loads(text).get("citationItems")
    except (ValueError, AttributeError, RecursionError):
        return []
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _word_sources(path: Path) -> Iterator[Reference]:
    """Read the sources that Word's own references keep in the file."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    with ZipFile(path) as archive:
        for name in archive.namelist():
            if re.fullmatch(r"customXml/item\d+\.xml", name):
                try:
                    root = etree.fromstring(archive.read(name), parser)
                except (etree.XMLSyntaxError, zipfile.BadZipFile):
                    continue
                yield from map(_word_source, root.iter(f"{_B}Source"))


def _word_source(source: Any) -> Reference:
    year = source.findtext(f"{_B}Year") or ""
    doi = source.findtext(f"{_B}DOI")
    names = (each.text for each in source.iter(f"{_B}Last", f"{_B}Corporate") if each.text)
    return Reference(
        source.findtext(f"{_B}Tag") or "",
        title=source.findtext(f"{_B}Title") or "",
        doi=doi.lower() if doi else None,
        year=int(year) if year.isdigit() else None,
        authors=tuple(names),
    )
