"""An audit as CSV: a line for each citation and each remark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from claimscope._json_record import rounded
from claimscope.audit.report import Audit, Checked
from claimscope.render.exports import csv_lines

_COLUMNS = (
    *"place level kind citation key sentence claim detail document title".split(),
    *"quotes supports refutes not_enough_info".split(),
)


def to_csv(audit: Audit) -> str:
    """Write the findings in the order of the text."""
    found = sorted(audit.findings, key=lambda item: item.place)
    return csv_lines([_COLUMNS, *map(list, map(_row, found))])


def _row(item: Any) -> Iterator[Any]:
    is_citation = isinstance(item, Checked)
    yield item.place
    yield item.level.value
    yield (item.outcome if is_citation else item.kind).value
    yield item.label if is_citation else ""
    yield item.key if is_citation else ""
    yield item.sentence
    yield item.claim if is_citation else ""
    yield item.detail
    yield item.document.id if item.document else ""
    yield item.document.title if item.document else ""
    yield " […] ".join(quote.text for quote in item.quotes)
    labels = item.probabilities if is_citation else None
    for name in ("supports", "refutes", "not_enough_info"):
        yield rounded(getattr(labels, name)) if labels else None
