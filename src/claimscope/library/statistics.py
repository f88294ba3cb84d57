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
    bytes_on_disk: int


def statistics(store: Store) -> Statistics:
    """Count a library's contents."""
    return Statistics(
        documents=len(store),
        without_abstract=_count(store, "spans = '[]'"),
        retracted=_count(store, "json_extract(meta, '$.retracted')"),
        years=_counts(store, "$.year", "value IS NULL, value"),
        languages=_languages(_counts(store, "$.language", "value")),
        bytes_on_disk=size_on_disk(store.folder),
    )


def size_on_disk(folder: Path) -> int:
    """Add up the sizes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _languages(counts: Mapping[str | None, int]) -> dict[str | None, int]:
    """Count a language once; libraries of earlier versions hold it under several names."""
    found: Counter[str | None] = Counter()
    for language, count in counts.items():
        found[normalise_language(language)] += count
    return dict(found.most_common())


def _count(store: Store, condition: str) -> int:
    return int(store.rows(f"SELECT COUNT(*) FROM documents WHERE {condition}")[0][0])


def _counts(store: Store, field: str, order: str) -> dict[Any, int]:
    return dict(
        store.rows(
            f"SELECT json_extract(meta, '{field}') AS value, COUNT(*) AS count FROM documents"
            f" GROUP BY value ORDER BY {order}"
        )
    )
