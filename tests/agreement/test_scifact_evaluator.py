"""Our SciFact measures against the leaderboard evaluator's own fixture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.datasets import scifact
from claimscope.datasets.record import gold_of
from claimscope.measures import evaluate, scifact_measures
from claimscope.measures.evidence import official_key
from claimscope.measures.leaderboard import read_predictions
from claimscope.measures.measure import EvidenceData


@pytest.fixture
def folder(data_folder: Path) -> Path:
    found = data_folder / "scifact_evaluator"
    if not found.is_dir():
        pytest.skip("needs scifact_evaluator/ in the data folder")
    return found


def _fixture(folder: Path) -> EvidenceData:
    gold = gold_of(scifact.read_claims(folder / "gold_small.jsonl"))
    return EvidenceData(gold, read_predictions(folder / "predictions_small.jsonl", list(gold)))


@pytest.mark.parametrize("repository", [False, True])
def test_all_twelve_values_agree(folder: Path, repository: bool) -> None:
    """Both variants: no gold set of the fixture is longer than three sentences."""
    data = _fixture(folder)
    measures = scifact_measures(repository)
    ours = {official_key(measure): evaluate(measure, data) for measure in measures}
    expected = json.loads((folder / "expected_metrics_small.json").read_text(encoding="utf-8"))
    assert len(ours) == 12
    assert ours == pytest.approx(expected, abs=1e-9)
