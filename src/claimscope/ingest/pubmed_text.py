"""Reads the plain text that PubMed saves: "summary", and "abstract" with the abstracts in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from claimscope._identifiers import find_doi, find_pmid, find_year
from claimscope.errors import RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.record import LINE_WEIGHT, OVERSIZE, RECORD_LIMIT, Failure, Item
from claimscope.ingest.streams import Line, open_source, read_lines
from claimscope.types import Document, Metadata

_BEGIN = re.compile(r"\s?[0-9]{1,7}([:.]) (?=\S)")
_PMID_LINE = re.compile(r"\bPMID: [0-9]{1,8}\b")
# The journal and the date end the title: ". J Clin Sleep. 2019 May;"
_JOURNAL = re.compile(
    r"(?P<end>[.?!\])])\s(?P<venue>[^.?!]{2,200})\.\s(?P<year>(?:1[5-9]|20|21)[0-9]{2})\b(?=[ ;:.])"
)
_AUTHOR = re.compile(
    r"[^\W\d_][^\d,;:()]{0,60}\s[^\W\d_]{1,5}(?:\s(?:Jr|Sr|[1-4](?:st|nd|rd|th)))?"
)
_MARKS = re.compile(r"\(\d{1,4}\)")
_NOT_ABSTRACT = re.compile(
    r"(?:Author information:|Collaborators?:|Comment (?:in|on)|Erratum |Update (?:in|of)|DOI: |"
    r"PMCID: |PMID: |Conflict of interest|Copyright |©|\[Article in|Publisher:|Republished|"
    r"Retraction (?:in|of)|Retracted and)",
    re.IGNORECASE,
)
_NO_PMID = "The record has no PMID, which every record of PubMed ends with."


def read(path: Path) -> Iterator[Item]:
    """Read every record."""
    with open_source(path) as source:
        for record in _records(read_lines(source)):
            try:
                if record.size > RECORD_LIMIT:
                    raise RecordError(OVERSIZE)
                yield _document(record, path.name)
            except RecordError as error:
                yield Failure(str(path), record.line, str(error))


@dataclass(slots=True)
class _Record:
    line: int
    sign: str
    """The sign after the record's number: a colon in summaries, a stop in abstracts."""
    lines: list[str]
    size: int = 0

    def add(self, text: str | None) -> None:
        self.size += RECORD_LIMIT + 1 if text is None else len(text) + LINE_WEIGHT
        if self.size > RECORD_LIMIT:
            self.lines.clear()
        elif text is not None:
            self.lines.append(text.strip())

    @property
    def paragraphs(self) -> list[str]:
        joined = "\n".join(self.lines).split("\n\n")
        return [text for text in (" ".join(each.split()) for each in joined) if text]


def _records(lines: Iterator[Line]) -> Iterator[_Record]:
    """Part the file where a number follows an empty line and the record before has its PMID."""
    record: _Record | None = None
    is_complete = after_empty = True
    for number, text in lines:
        begin = _BEGIN.match(text) if text and after_empty and is_complete else None
        if begin is not None:
            if record is not None:
                yield record
            record, is_complete = _Record(number, begin[1], []), False
        if record is not None:
            record.add(text if begin is None or text is None else text[begin.end() :])
            is_complete = is_complete or bool(text and _PMID_LINE.search(text))
        after_empty = not (text is None or text.strip())
    if record is not None:
        yield record


def _document(record: _Record, source: str) -> Document:
    paragraphs = record.paragraphs
    whole = " ".join(paragraphs)
    pmid = find_pmid(" ".join(_PMID_LINE.findall(whole)[-1:]))
    if pmid is None:
        raise RecordError(_NO_PMID)
    if record.sign == ":":
        return _summary(whole, pmid, source)
    return _abstract(paragraphs, pmid, source)


def _summary(text: str, pmid: str, source: str) -> Document:
    """Read "Doe J, Roe R. The title. The Journal. 2019 May;1(2):3. doi: 10.1/x. PMID: 1."."""
    authors, rest = _split_authors(text)
    journal = _JOURNAL.search(rest)
    if journal is None:
        raise RecordError("The record names no journal and year after its title; check its line.")
    meta = Metadata(
        doi=_doi(rest[journal.end() :]),
        pmid=pmid,
        year=find_year(journal["year"]),
        venue=journal["venue"],
        authors=authors,
        source=source,
    )
    return assemble(meta, rest[: journal.end("end")], notes=(rest[journal.end() :],))


def _split_authors(text: str) -> tuple[tuple[str, ...], str]:
    names, stop, rest = text.partition(". ")
    authors = tuple(_MARKS.sub("", name).strip() for name in names.split(","))
    authors = tuple(name for name in authors if name not in {"et al", "et al."})
    if stop and authors and all(map(_AUTHOR.fullmatch, authors)):
        return authors, rest
    return (), text


def _abstract(paragraphs: list[str], pmid: str, source: str) -> Document:
    """Read a record in paragraphs: journal, title, authors, their addresses, abstract, ids."""
    if len(paragraphs) < 2:
        raise RecordError("The record has no title below its journal; check its lines.")
    journal, title, *rest = paragraphs
    venue, _, date = journal.partition(". ")
    authors: tuple[str, ...] = ()
    if rest:
        authors, _ = _split_authors(f"{rest[0]} ")
        rest = rest[1:] if authors else rest
    prose = [text for text in rest if not _NOT_ABSTRACT.match(text)]
    meta = Metadata(
        doi=_doi(journal) or _doi(" ".join(rest)),
        pmid=pmid,
        year=find_year(date),
        venue=venue or None,
        authors=authors,
        source=source,
    )
    notes = [text for text in rest if _NOT_ABSTRACT.match(text)]
    return assemble(meta, title, " ".join(prose), notes=notes)


def _doi(text: str) -> str | None:
    place = text.lower().find("doi: ")
    return find_doi(text[place:]) if place >= 0 else None
