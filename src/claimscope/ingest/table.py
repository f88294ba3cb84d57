"""Reads CSV and TSV tables, whose columns are known by the names that databases and people use."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType

from claimscope._identifiers import find_pmid, find_url, find_year, parse_doi, parse_pmid
from claimscope.errors import FormatError, RecordError
from claimscope.ingest.assemble import assemble
from claimscope.ingest.record import OVERSIZE, Failure, Item
from claimscope.ingest.streams import Line, open_source, read_lines
from claimscope.metadata import NOTICES, STUDY, read_study
from claimscope.types import Document, Metadata

_ALIASES = {
    "id": "claimscopeid",
    "caution": "caution",
    "title": "title ti t1 articletitle primarytitle documenttitle papertitle itemtitle titel",
    "abstract": "abstract ab n2 abstractnote notesabstract abstracttext abstracts summary",
    "doi": "doi do di doinumber doilink digitalobjectidentifier",
    "pmid": "pmid pm pubmed pubmedid medlinepmid",
    "year": "year py y1 publicationyear pubyear yearpublished publishedyear date publicationdate"
    " datepublished coverdate published da",
    "venue": "journal venue jo jf t2 so publicationtitle sourcetitle journaltitle journalname"
    " journalbook secondarytitle containertitle publication publicationname booktitle",
    "authors": "authors author au a1 authornames authorfullnames creators",
    "url": "url urls ur link links weblink articleurl",
    "language": "language la lang languageoforiginaldocument originallanguage",
    "types": "publicationtype publicationtypes documenttype itemtype pt dt typeofwork type"
    " articletype",
    "retracted": "retracted isretracted retraction retractionstatus",
    "notices": "notices",
    "notes": "notes note n1 keywords keyword kw authorkeywords manualtags automatictags tags extra"
    " comments",
    **{field.name: f"{field.name.replace('_', '')} {field.columns}" for field in STUDY},
}
_FIELD_OF = {alias: name for name, aliases in _ALIASES.items() for alias in aliases.split()}
OWN_ID = "claimscope_id"
"""The column by which a table is known as one that we wrote."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
"""What a cell of ours never begins with: a mark, which is no part of the text, is put before."""
_MARKED = tuple(f"'{sign}" for sign in FORMULA)
_SPACING = re.compile(r"[\s_/.:#*()\[\]-]+")
_SEPARATOR = re.compile(r"[;|]| and ")
_MOST_COLUMNS = 100
"""Columns that may hold one field; a header of thousands would cost time in every row."""
_NO = frozenset(
    {"", "0", "0.0", "n", "no", "false", "none", "nan", "null", "na", "n/a", "not retracted"}
)
_MISSING = frozenset({"nan", "n/a", "null", "none", "na"})

Columns = Mapping[str, Sequence[int]]
"""Where each field lies: several columns may hold one, such as year and date; the first wins."""


def find_columns(header: Sequence[str]) -> Columns | None:
    """Read a header row; None if it names neither a title nor an abstract."""
    found: dict[str, list[int]] = {}
    for index, name in enumerate(header):
        field = _FIELD_OF.get(_SPACING.sub("", name).casefold())
        if field is not None and len(found.setdefault(field, [])) < _MOST_COLUMNS:
            found[field].append(index)
    return MappingProxyType(found) if found.keys() & {"title", "abstract"} else None


def row_to_document(cells: Sequence[str], columns: Columns, source: str) -> Document:
    """Make a document of a row."""

    def cell(name: str) -> str:
        return next(iter(_values(cells, columns.get(name, ()))), "")

    is_own = "id" in columns
    if is_own:
        cells = [value[1:] if value.startswith(_MARKED) else value for value in cells]
    notes = _values(cells, columns.get("notes", ()))
    pmids = (parse_pmid(cell("pmid")), *map(find_pmid, notes))
    meta = Metadata(
        doi=parse_doi(cell("doi")),
        pmid=next(filter(None, pmids), None),
        year=find_year(cell("year")),
        venue=cell("venue") or None,
        authors=tuple((_own_list if is_own else _authors)(cell("authors"))),
        url=find_url(cell("url")),
        language=cell("language") or None,
        publication_types=tuple(filter(None, (_own_list if is_own else _split)(cell("types")))),
        retracted=cell("retracted").casefold() not in _NO,
        notices=tuple(filter(None, cell("notices").split(NOTICES))) if is_own else (),
        note=cell("caution") or None,
        source=source,
        **read_study(cell),
    )
    return assemble(meta, cell("title"), cell("abstract"), identifier=cell("id"), notes=notes)


def _values(cells: Sequence[str], indices: Sequence[int]) -> list[str]:
    """Give the cells at these places that say something."""
    values = (cells[index].strip() for index in indices if index < len(cells))
    return [value for value in values if value and value.casefold() not in _MISSING]


def _split(text: str) -> list[str]:
    """Split a list; white space is made single first, which keeps the search linear."""
    return [part.strip() for part in _SEPARATOR.split(" ".join(text.split()))]


def _own_list(text: str) -> list[str]:
    return [part for part in text.split("; ") if part]


def _authors(text: str) -> list[str]:
    names = [name.strip(" .,") for name in _split(text)]
    if len(names) == 1 and "," in text:
        # "Smith J, Doe K." lists two people; "Smith, John" is one.
        parts = [part.strip(" .") for part in text.split(",")]
        if all(" " in part for part in parts):
            names = parts
    return list(filter(None, names))


_DELIMITERS = (",", ";", "\t", "|")
_HEADER_WITHIN = 10
"""Rows in which a header is looked for; some exports put a heading or "sep=;" before it."""

NO_HEADER = (
    "The table's first rows name no column for the title or the abstract;"
    " add a header row with names such as title, abstract, doi and year."
)


def read(path: Path) -> Iterator[Item]:
    """Read every row below the header."""
    with open_source(path) as source:
        lines = read_lines(source)
        first = list(islice(lines, _HEADER_WITHIN))
        delimiter, known = sniff([text or "" for _, text in first])
        if not known:
            raise FormatError(NO_HEADER)
        yield from _rows(path, chain(first, lines), delimiter)


def sniff(lines: Sequence[str]) -> tuple[str, int]:
    """Give the delimiter under which one of the first rows names most columns, and how many."""
    best, most = _DELIMITERS[0], 0
    for delimiter in _DELIMITERS:
        for row in _head_rows(lines[:_HEADER_WITHIN], delimiter):
            columns = find_columns(row)
            if columns is not None and len(columns) > most:
                best, most = delimiter, len(columns)
    return best, most


def _head_rows(lines: Sequence[str], delimiter: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader([f"{line}\n" for line in lines], delimiter=delimiter)
    except csv.Error:
        return


class _Feed:
    """Gives lines to the csv module, and keeps aside the numbers of those too long to load."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self.number = 0
        self.oversize: list[int] = []

    def __iter__(self) -> Iterator[str]:
        for number, text in self._lines:
            self.number = number
            if text is None:
                self.oversize.append(number)
            else:
                yield f"{text}\n"


def _rows(path: Path, lines: Iterator[Line], delimiter: str) -> Iterator[Item]:
    feed = _Feed(lines)
    reader = csv.reader(feed, delimiter=delimiter)
    columns: Columns | None = None
    width = 0
    while True:
        line = feed.number + 1
        try:
            row = next(reader)
            if columns is None:
                columns, width = find_columns(row), len(row)
            elif any(cell.strip() for cell in row):
                _check_width(row, width)
                yield row_to_document(row, columns, path.name)
        except StopIteration:
            break
        except csv.Error as error:
            yield Failure(str(path), line, f"The row cannot be read ({error}); check its quotes.")
        except RecordError as error:
            yield Failure(str(path), line, str(error))
        for number in feed.oversize:
            yield Failure(str(path), number, OVERSIZE)
        feed.oversize.clear()


def _check_width(row: Sequence[str], width: int) -> None:
    extra = [cell for cell in row[width:] if cell.strip()]
    if extra:
        raise RecordError(
            f"The row has {len(row)} cells where the header has {width};"
            " put quotation marks around cells that hold the delimiter."
        )
