"""The sweep of alpha, on three documents that relevance and verification rank apart."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from claimscope.types import Candidate, Case, Claim, Document, LabelProbabilities, Score

SCRIPT = Path(__file__).resolve().parents[4] / "benchmarks" / "alpha_sweep.py"


def candidate(name: str, relevance: float, silent: float) -> Candidate:
    labels = LabelProbabilities((1 - silent) / 2, (1 - silent) / 2, silent)
    return Candidate(
        Document(name, name), {"rerank.relevance": Score(relevance, relevance)}, labels=labels
    )


def test_eleven_steps_move_from_relevance_to_verification() -> None:
    found = runpy.run_path(str(SCRIPT))
    case = Case(
        Claim("c", "1"),
        (candidate("about", 0.9, 0.9), candidate("decides", 0.3, 0.1), candidate("no", 0.1, 0.95)),
    )
    swept = found["sweep"](
        [case], {"1": {"decides": 1}}, ["R@1", "R@3"], "rerank.relevance", "probability"
    )
    assert list(swept) == pytest.approx([step / 10 for step in range(11)])
    # 0.1·α + 0.9·(1 − α) < 0.9·α + 0.3·(1 − α) from α = 3/7 on.
    assert [values[0] for values in swept.values()] == [0.0] * 5 + [1.0] * 6
    assert all(values[1] == 1.0 for values in swept.values())
