"""Reads BibTeX and BibLaTeX; a broken entry is reported and the ones after it are kept."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from bibtexparser.library import Library
from bibtexparser.middlewares import RemoveEnclosingMiddleware, ResolveStringReferencesMiddleware
from bibtexparser.middlewares.names import split_multiple_persons_names
from bibtexparser.model import Block, Entry, ParsingFailedBlock, String
from bibtexparser.splitter import Splitter

from claimscope._identifiers import find_doi, find_pmid, find_url, find_year, parse_doi, parse_pmid
from claimscope.errors import FormatError, RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.latex import check_latex, latex_to_text
from claimscope.ingest.limits import LONGEST, check_size
from claimscope.ingest.own_notes import read_notes
from claimscope.ingest.record import LINE_WEIGHT, OVERSIZE, RECORD_LIMIT, Failure, Item
from claimscope.ingest.streams import Line, open_source, read_lines
from claimscope.types import Document, Metadata

_LONGEST_AUTHORS = 5_000_000
_MOST_AUTHOR_MARKS = 200_000
"""Ten times what the longest list of authors known to us has."""
_STRING_LINE = re.compile(r"\s*@\s*string\s*[{(]", re.IGNORECASE)
_ENTRY_LINE = re.compile(r"\s*@\s*\w+\s*[{(]")
_BROKEN = "The BibTeX entry is broken: its braces, quotes or commas do not match; correct it here."

# The parser logs broken entries; they are reported as failures here.
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())


def read(path: Path) -> Iterator[Item]:
    """Read every entry."""
    return (item for _, item in read_keyed(path))


def read_keyed(path: Path) -> Iterator[tuple[str, Item]]:
    """Read every entry with the key it is cited by; a broken one has none."""
    strings = _find_strings(path)
    with open_source(path) as source:
        for line, text in _blocks(read_lines(source)):
            if text is None:
                yield "", Failure(str(path), line, OVERSIZE)
                continue
            for block in Splitter(text).split().blocks:
                if isinstance(block, String):
                    strings[block.key.lower()] = block
                    continue
                entry = _unwrap(block)
                place = line + (block.start_line or 0)
                if isinstance(entry, Entry):
                    yield entry.key, _try_document(path, place, entry, strings)
                elif isinstance(entry, ParsingFailedBlock):
                    yield "", Failure(str(path), place, _BROKEN)


def _find_strings(path: Path) -> dict[str, String]:
    """Give the first definition of every @string, since one may stand after the entries it is for.

    The reader of the entries reports what is wrong with the file.
    """
    strings: dict[str, String] = {}
    with suppress(FormatError), open_source(path) as source:
        for _, text in _blocks(read_lines(source)):
            if text is not None and _STRING_LINE.match(text):
                for block in Splitter(text).split().strings:
                    strings.setdefault(block.key.lower(), block)
    return strings


def _blocks(lines: Iterator[Line]) -> Iterator[Line]:
    """Cut the file before every line that begins an entry, so that none can swallow the next."""
    start, size = 1, 0
    block: list[str] = []
    for number, text in lines:
        if text is not None and _begins_entry(text) and size:
            yield start, "\n".join(block) if size <= RECORD_LIMIT else None
            start, size = number, 0
            block.clear()
        size += RECORD_LIMIT + 1 if text is None else len(text) + LINE_WEIGHT
        if text is not None and size <= RECORD_LIMIT:
            block.append(text)
        else:
            block.clear()
    if size:
        yield start, "\n".join(block) if size <= RECORD_LIMIT else None


def _begins_entry(line: str) -> bool:
    return "@" in line and _ENTRY_LINE.match(line) is not None


def _unwrap(block: Block) -> Block:
    """Give the entry inside a block that failed only for a repeated key, of it or of a field."""
    inner = getattr(block, "ignore_error_block", None)
    return inner if isinstance(inner, Entry) else block


def _try_document(path: Path, line: int, entry: Entry, strings: Mapping[str, String]) -> Item:
    named = {str(field.value).lower() for field in entry.fields} & strings.keys()
    library = Library([entry, *(strings[name] for name in named)])
    ResolveStringReferencesMiddleware().transform(library)
    RemoveEnclosingMiddleware().transform_entry(entry, library)
    values: dict[str, str] = {}
    for field in entry.fields:
        values.setdefault(field.key.strip().lower(), str(field.value))
    try:
        return _document(entry.entry_type, values, path.name)
    except RecordError as error:
        return Failure(str(path), line, str(error))


def _document(kind: str, values: Mapping[str, str], source: str) -> Document:
    def text(*names: str) -> str:
        found = next(filter(None, (values.get(name, "").strip() for name in names)), "")
        # Decoding takes longer than anything else, so it is bounded beforehand.
        check_size(names[0], len(found), LONGEST["abstract"])
        return latex_to_text(found)

    notes = [text(name) for name in ("note", "keywords", "annote", "annotation", "addendum")]
    own = read_notes(_lines(values.get("note", "")))
    kinds = tuple(filter(None, [text("type") or kind]))
    meta = Metadata(
        doi=parse_doi(text("doi")) or find_doi(text("url")) or find_doi(notes[0]),
        pmid=_pmid(values, notes),
        year=find_year(text("year", "date", "issue_date", "urldate")),
        venue=text("journaltitle", "journal", "booktitle", "journal-full") or None,
        authors=_authors(values.get("author", "")),
        url=find_url(text("url", "link", "howpublished")),
        language=text("language", "langid") or None,
        publication_types=kinds if own.types is None else own.types,
        note=own.note,
        source=source,
        **own.known,
    )
    title = text("title", "maintitle")
    return assemble(meta, title, text("abstract"), identifier=own.identifier, notes=notes)


def _lines(note: str) -> list[str]:
    """Give the lines of a note that we wrote; they end in two backslashes, as in LaTeX."""
    if "Claimscope" not in note:
        return []
    check_size("note", len(note), LONGEST["abstract"])
    return [latex_to_text(line) for line in note.split("\\\\")]


def _authors(value: str) -> tuple[str, ...]:
    check_size("author", len(value), _LONGEST_AUTHORS)
    check_latex("author", value, _MOST_AUTHOR_MARKS)
    names = (latex_to_text(name).strip() for name in split_multiple_persons_names(value))
    return tuple(" ".join(name.split()) for name in names if name)


def _pmid(values: Mapping[str, str], notes: list[str]) -> str | None:
    own = values.get("pmid", "")
    if not own and values.get("eprinttype", "").lower() in {"pubmed", "pmid"}:
        own = values.get("eprint", "")
    return parse_pmid(own) or next(filter(None, map(find_pmid, notes)), None)
