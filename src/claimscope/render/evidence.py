"""Says which papers a result rests on."""

from __future__ import annotations

from typing import Any

Result = dict[str, Any]
"""A checked claim, as `pipeline.result` writes it."""

QUOTED = "QUOTED"
"""What a paper is to a result that judges nothing: its sentences are shown."""


def evidence_of(result: Result) -> dict[str, str]:
    """Give the papers that count, each with SUPPORTS or REFUTES.

    Where none counts they are the ones that are quoted, as in a pipeline that judges nothing.
    """
    verdict = result["verdict"] or {"supporting": [], "refuting": []}
    counted = dict.fromkeys(verdict["supporting"], "SUPPORTS")
    counted |= dict.fromkeys(verdict["refuting"], "REFUTES")
    if counted:
        return counted
    return {item["id"]: QUOTED for item in result["candidates"] if item["rationale"]}


def evidence_candidates(result: Result) -> list[dict[str, Any]]:
    """Give the candidates that `evidence_of` names, in their order."""
    names = evidence_of(result)
    return [item for item in result["candidates"] if item["id"] in names]
