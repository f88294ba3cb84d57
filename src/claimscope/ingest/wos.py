"""Reads the tagged plain text of Web of Science."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from claimscope._identifiers import find_year, parse_doi, parse_pmid
from claimscope.ingest.assemble import assemble
from claimscope.ingest.record import Item
from claimscope.ingest.tagged import Grammar, TaggedLine, TaggedRecord, read_tagged
from claimscope.types import Document, Metadata

Values = Callable[[str], list[str]]
"""Gives the values of a two-letter tag."""

_LINE = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?$")
_FILE_TAGS = frozenset({"FN", "VR", "EF"})
AUTHORS = frozenset({"AU", "AF", "CA"})
"""Tags that have several values."""


def read(path: Path) -> Iterator[Item]:
    """Read every record of a plain text export."""
    return read_tagged(path, Grammar(_parse, opening="PT", closing="ER"), _from_lines)


def _parse(line: str) -> TaggedLine | None:
    match = _LINE.match(line)
    if match is None or match[1] in _FILE_TAGS:
        return None
    return match[1], (match[2] or "").strip()


def _from_lines(record: TaggedRecord, source: str) -> Document:
    def values(tag: str) -> list[str]:
        if tag in AUTHORS:
            # Each further line is a further author.
            return [line for lines in record.values.get(tag, ()) for line in lines if line]
        return record.all(tag)

    return make_document(values, source)


def make_document(values: Values, source: str) -> Document:
    """Make a document of the values of each tag."""

    def first(tag: str) -> str:
        return next(iter(values(tag)), "")

    kinds = [kind.strip() for text in values("DT") for kind in text.split(";")]
    meta = Metadata(
        doi=parse_doi(first("DI")),
        pmid=parse_pmid(first("PM")),
        year=find_year(first("PY") or first("EA")),
        venue=first("SO") or None,
        authors=tuple(values("AF") or values("AU") or values("CA")),
        language=first("LA") or None,
        publication_types=tuple(filter(None, kinds)),
        source=source,
    )
    return assemble(meta, first("TI"), first("AB"))
