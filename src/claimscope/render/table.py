"""Checked claims as CSV: the papers of one claim, or a line for each of many claims."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from claimscope.render.evidence import Result, evidence_of

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_PAPERS = (
    "claim_id claim verdict confidence rank document title year venue doi pmid study_type "
    "retracted label counts supports refutes not_enough_info sentences"
).split()
_CLAIMS = "line id claim verdict confidence supporting refuting rule error".split()


def to_csv(result: Result) -> str:
    """Write a line for every paper that was looked at."""
    return "".join(_written([_PAPERS, *_papers(result)]))


def claims_to_csv(outcomes: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write a line for every claim of a job, as they come."""
    yield from _written([_CLAIMS])
    for outcome in outcomes:
        yield from _written([_claim(outcome)])


def _papers(result: Result) -> Iterator[list[Any]]:
    verdict, counted = result["verdict"] or {}, evidence_of(result)
    for item in result["candidates"]:
        meta, chances = item["metadata"], item["probabilities"] or {}
        yield [
            result["claim"]["id"],
            result["claim"]["text"],
            verdict.get("label"),
            verdict.get("confidence"),
            item["rank"],
            item["id"],
            item["title"],
            *(meta[name] for name in ("year", "venue", "doi", "pmid", "study_type")),
            "yes" if meta["retracted"] else "no",
            item["label"],
            counted.get(item["id"], ""),
            *(chances.get(name) for name in ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")),
            " […] ".join(sentence["text"] for sentence in item["rationale"]),
        ]


def _claim(outcome: dict[str, Any]) -> list[Any]:
    result = outcome["result"] or {}
    verdict = result.get("verdict") or {}
    return [
        outcome["line"],
        outcome["id"],
        outcome["claim"],
        verdict.get("label"),
        verdict.get("confidence"),
        "; ".join(verdict.get("supporting", ())),
        "; ".join(verdict.get("refuting", ())),
        verdict.get("rule", {}).get("statement"),
        outcome["error"],
    ]


def _written(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    output = io.StringIO()
    csv.writer(output, lineterminator="\r\n").writerows(map(_safe, row) for row in rows)
    yield output.getvalue()


def _safe(value: Any) -> Any:
    """Mark a text that a spreadsheet would take for a formula; a title may be hostile."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
