"""Statistics of a library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope._languages import normalise_language
from claimscope.library.store import Store


@dataclass(frozen=True, slots=True)
class Statistics:
    """The contents of a library, counted."""

    documents: int
    without_abstract: int
    retracted: int
    years: Mapping[int | None, int]
    """Documents by year, in order; None counts those of unknown year and comes last."""
    languages: Mapping[str | None, int]
    """Documents by the language's code, commonest first; None where it is unknown."""
    bytes_on_disk: int | None
    """None where a server keeps the library."""


def statistics(store: Store) -> Statistics:
    """Count a library's contents."""
    return Statistics(
        documents=len(store),
        without_abstract=_count(store, "spans = '[]'"),
        retracted=_count(store, "json_extract(meta, '$.retracted')"),
        years=by_year(_counts(store, "$.year")),
        languages=by_language(_counts(store, "$.language")),
        bytes_on_disk=size_on_disk(store.folder),
    )


def size_on_disk(folder: Path) -> int:
    """Add up the sizes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def by_year(counts: Mapping[int | None, int]) -> dict[int | None, int]:
    """Order counts by year; the unknown year comes last."""
    return dict(sorted(counts.items(), key=lambda pair: (pair[0] is None, pair[0])))


def by_language(counts: Mapping[str | None, int]) -> dict[str | None, int]:
    """Count a language once; libraries of earlier versions hold it under several names."""
    found: Counter[str | None] = Counter()
    for language, count in sorted(counts.items(), key=lambda pair: pair[0] or ""):
        found[normalise_language(language)] += count
    return dict(found.most_common())


def _count(store: Store, condition: str) -> int:
    return int(store.rows(f"SELECT COUNT(*) FROM documents WHERE {condition}")[0][0])


def _counts(store: Store, field: str) -> dict[Any, int]:
    return dict(
        store.rows(
            f"SELECT json_extract(meta, '{field}') AS value, COUNT(*) AS count FROM documents"
            " GROUP BY value"
        )
    )
