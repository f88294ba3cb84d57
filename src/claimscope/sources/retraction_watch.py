"""Reads the data of Retraction Watch, a table with the columns that Crossref publishes."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from claimscope._identifiers import find_doi, parse_pmid
from claimscope.errors import FormatError, InputError
from claimscope.ingest.record import Failure
from claimscope.ingest.streams import open_source, read_lines
from claimscope.sources.notices import Notice, NoticeKind

_COLUMNS = ("Title", "RetractionDate", "OriginalPaperDOI", "RetractionNature", "Reason")
_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})\b|(\d{4})-(\d{2})-(\d{2})\b")
_BETWEEN_REASONS = re.compile(r"\s*[;+]\s*")


_KINDS = {kind.casefold(): kind for kind in NoticeKind}


@dataclass(frozen=True, slots=True)
class RetractionData:
    """The notices of a file by the identifiers of their papers, and which file it was."""

    file: str
    modified: date
    sha256: str
    rows: int
    newest: date | None
    """The date of the newest notice."""
    by_doi: Mapping[str, Sequence[Notice]]
    by_pmid: Mapping[str, Sequence[Notice]]
    failures: tuple[Failure, ...]


def read_retractions(path: Path) -> RetractionData:
    """Read a file, compressed or not; a row that says nothing known is a failure."""
    if not path.is_file():
        raise InputError(f"There is no file {path}; check the name.")
    by_doi, by_pmid = defaultdict[str, list[Notice]](list), defaultdict[str, list[Notice]](list)
    failures, rows, newest = list[Failure](), 0, None
    for line, row in _rows(path):
        rows += 1
        if (notice := _notice(row)) is None:
            known = ", ".join(NoticeKind)
            reason = f"RetractionNature is none of {known}, so the row was not used."
            failures.append(Failure(str(path), line, reason))
            continue
        if notice.date is not None:
            newest = max(notice.date, newest or notice.date)
        if doi := find_doi(row.get("OriginalPaperDOI") or ""):
            by_doi[doi].append(notice)
        if pmid := parse_pmid(row.get("OriginalPaperPubMedID") or ""):
            by_pmid[pmid].append(notice)
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
    return RetractionData(
        path.name, modified, sha256, rows, newest, dict(by_doi), dict(by_pmid), tuple(failures)
    )


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    with open_source(path) as source:
        lines = (f"{text}\n" for _, text in read_lines(source) if text is not None)
        reader = csv.DictReader(lines)
        if missing := set(_COLUMNS) - set(reader.fieldnames or ()):
            raise FormatError(
                f"{path} has no column {', '.join(sorted(missing))}; it must be the table of "
                "Retraction Watch as Crossref publishes it."
            )
        try:
            for row in reader:
                yield reader.line_num, row
        except csv.Error as error:
            where = f"{path}:{reader.line_num}"
            raise FormatError(
                f"{where} cannot be read ({error}); download the file again."
            ) from error


def _notice(row: Mapping[str, str]) -> Notice | None:
    kind = _KINDS.get((row["RetractionNature"] or "").strip().casefold())
    if kind is None:
        return None
    reasons = tuple(filter(None, _BETWEEN_REASONS.split((row["Reason"] or "").strip())))
    doi = find_doi(row.get("RetractionDOI") or "")
    return Notice(kind, _date(row["RetractionDate"] or ""), reasons, doi, row["Title"] or "")


def _date(text: str) -> date | None:
    """Read a date as the table has it, month first, or as ISO 8601 has it."""
    match = _DATE.match(text.strip())
    if match is None:
        return None
    month, day, year, *iso = (int(part) for part in match.groups(default="0"))
    try:
        return date(*iso) if year == 0 else date(year, month, day)
    except ValueError:
        return None
