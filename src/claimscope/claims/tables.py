"""Reads tables of claims: the column "claim" holds them, and "id" may name them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from claimscope.claims.reading import Refusal, read_claim
from claimscope.errors import ClaimError, FormatError
from claimscope.types import Claim

COLUMNS = ("claim", "text", "statement", "sentence")
IDENTIFIER = "id"
NO_CLAIMS = 'The table has no column "claim" or no rows; add them.'
_DELIMITERS = (",", ";", "\t")


def read_table(lines: Iterable[str]) -> Iterator[Claim | Refusal]:
    """Read a CSV or TSV table row by row; rows are numbered from 1, without the header."""
    rest = iter(lines)
    first = next(rest, "")
    table = csv.reader(chain([first], rest), delimiter=_delimiter(first), strict=True)
    try:
        rows = (row for row in table if row)
        names = next(rows, [])
        claim, identifier = claim_column(names), id_column(names)
        first_row = next(rows, None)
        if first_row is None:
            raise FormatError(NO_CLAIMS)
        yield from read_entries(
            (_cell(row, identifier) or str(number), _cell(row, claim))
            for number, row in enumerate(chain([first_row], rows), start=1)
        )
    except csv.Error as error:
        raise FormatError(f"The table is not valid CSV ({error}).") from None


def claim_column(names: Sequence[str]) -> int:
    """Give the place of the column that holds the claims; a table without one is refused."""
    known = [name.strip().lower() for name in names]
    for name in COLUMNS:
        if name in known:
            return known.index(name)
    raise FormatError(NO_CLAIMS)


def id_column(names: Sequence[str]) -> int | None:
    """Give the place of the column that names the claims, if there is one."""
    known = [name.strip().lower() for name in names]
    return known.index(IDENTIFIER) if IDENTIFIER in known else None


def read_entries(items: Iterable[tuple[str, object]]) -> Iterator[Claim | Refusal]:
    """Read claims that have names; an entry that is not text is refused with its number."""
    for number, (name, text) in enumerate(items, start=1):
        try:
            if not isinstance(text, str):
                raise ClaimError('This entry has no text in "claim"; add it.')
            yield read_claim(text, name)
        except ClaimError as error:
            yield Refusal(number, str(error), name)


def _delimiter(header: str) -> str:
    """Give the delimiter that finds a column of claims; a comma where none does."""
    for delimiter in _DELIMITERS:
        names = {name.strip(' "').lower() for name in header.strip().split(delimiter)}
        if not names.isdisjoint(COLUMNS):
            return delimiter
    return _DELIMITERS[0]


def _cell(row: Sequence[str], place: int | None) -> str:
    return row[place] if place is not None and place < len(row) else ""
