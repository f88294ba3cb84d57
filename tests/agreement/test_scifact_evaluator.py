"""Our SciFact measures against the leaderboard evaluator's own fixture."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from claimscope.datasets import scifact
from claimscope.datasets.record import gold_of
from claimscope.measures import evaluate, scifact_measures
from claimscope.measures.evidence import official_key
from claimscope.measures.leaderboard import read_predictions
from claimscope.measures.records import EvidenceData

_DATA = Path(os.environ.get("CLAIMSCOPE_DATA", Path(__file__).parents[3] / "shared" / "data"))
_FIXTURE = _DATA / "scifact_evaluator"

pytestmark = pytest.mark.skipif(
    not _FIXTURE.is_dir(), reason="needs scifact_evaluator/ in the data folder (CLAIMSCOPE_DATA)"
)


def _fixture() -> EvidenceData:
    gold = gold_of(scifact.read_claims(_FIXTURE / "gold_small.jsonl"))
    return EvidenceData(gold, read_predictions(_FIXTURE / "predictions_small.jsonl", list(gold)))


def _expected() -> dict[str, float]:
    text = (_FIXTURE / "expected_metrics_small.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def test_all_twelve_values_agree() -> None:
    data = _fixture()
    ours = {official_key(measure): evaluate(measure, data) for measure in scifact_measures()}
    assert ours == pytest.approx(_expected(), abs=1e-9)


def test_the_repository_variant_agrees_where_no_gold_set_is_longer_than_three() -> None:
    data = _fixture()
    measures = scifact_measures(repository=True)
    ours = {official_key(measure): evaluate(measure, data) for measure in measures}
    assert ours == pytest.approx(_expected(), abs=1e-9)
