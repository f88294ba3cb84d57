"""Limits of reading: the length of fields, and the time and memory of the reading process."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from claimscope._identifiers import LONGEST_DOI
from claimscope.errors import RecordError

LONGEST = MappingProxyType(
    {
        "id": 300,
        "title": 5_000,
        "abstract": 200_000,
        "doi": LONGEST_DOI,
        "venue": 2_000,
        "authors": 1_000,
        "url": 5_000,
        "language": 200,
        "note": 5_000,
    }
)
"""Characters of a field, or of one value where it is a list; a whole paper has about 60,000."""

LONGEST_OTHER = 1_000
"""Characters of a field that has no limit of its own."""

MOST_VALUES = 50_000
"""Values of a list; the longest list of authors known to us has some 15,000."""

_MOST_MARKS = 100
# Signs that are neither letters nor spaces; only then are their classes looked up.
_SIGNS = re.compile(rf"[^\x00-\u02ff\w\s]{{{_MOST_MARKS},}}")


def check_text(field: str, text: str) -> None:
    """Raise a `RecordError` if a field is too long, or costly to normalise."""
    check_size(field, len(text), LONGEST.get(field, LONGEST_OTHER))
    # Unicode normalisation takes quadratic time in a run of combining marks.
    if not text.isascii() and _has_runs_of_marks(text):
        raise RecordError(
            f"The record's {field} holds a run of over {_MOST_MARKS} combining marks,"
            " which no writing has; correct it in the file."
        )


def check_size(field: str, characters: int, most: int) -> None:
    """Raise a `RecordError` if a field has more characters than it may."""
    if characters > most:
        raise RecordError(
            f"The record's {field} has {characters:,} characters and may have {most:,},"
            " so the record was skipped; correct it in the file."
        )


def check_list(field: str, values: Sequence[str]) -> None:
    """Raise a `RecordError` if a list has too many values, or one that is too long."""
    if len(values) > MOST_VALUES:
        raise RecordError(
            f"The record's {field} are {len(values):,} and may be {MOST_VALUES:,},"
            " so the record was skipped; correct it in the file."
        )
    together = "".join(values)
    if len(together) > LONGEST.get(field, LONGEST_OTHER) or not together.isascii():
        for value in values:
            check_text(field, value)


def check_sentences(sentences: Iterable[str]) -> None:
    """Raise a `RecordError` if the sentences of an abstract are too long together."""
    check_text("abstract", " ".join(sentences))


def _has_runs_of_marks(text: str) -> bool:
    # Every mark takes two bytes or more, so most texts need no closer look.
    if len(text.encode(errors="replace")) - len(text) < _MOST_MARKS:
        return False
    return any(map(_is_marks, _SIGNS.findall(text)))


def _is_marks(signs: str) -> bool:
    return sum(1 for sign in signs if unicodedata.combining(sign)) >= _MOST_MARKS


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The limits of one record and of one file: far more than real files take.

    Time is that of the processor, so that a busy computer changes nothing. On Windows the
    time of one record is bounded by the clock alone.
    """

    record_seconds: float = 30.0
    """Between two records of a file, and before its first one."""
    file_seconds: float = 120.0
    """For a file, however small it is."""
    seconds_per_megabyte: float = 30.0
    """For every megabyte of a file besides; a compressed PubMed file takes about 0.5."""
    wall_factor: float = 4.0
    """How many times these seconds may pass on the clock while the reader is waited for."""
    memory_bytes: int = 2_000_000_000
    """Address space of the process, where the system can bound it (not on macOS and Windows)."""

    def of_file(self, path: Path) -> float:
        """Give the seconds that a file may take; one that is gone is the reader's business."""
        size = 0
        with suppress(OSError):
            size = path.stat().st_size
        return self.file_seconds + self.seconds_per_megabyte * size / 1e6


def in_words(seconds: float) -> str:
    """Give a duration in words."""
    return f"{seconds:,.3g} {'second' if seconds == 1 else 'seconds'}"
