"""LiarMisinfo: classes of a label model count as true or not, and it reads the evidence."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from tests.tiny_models import REASON, save_pair_model

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
GRADES = ("pants-fire", "false", "barely-true", "half-true", "mostly-true", "true")


@pytest.fixture
def liar(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("liar_misinfo")


def test_the_upper_grades_count_as_true(liar: Any) -> None:
    columns = liar.columns_of(GRADES, liar.TRUE)
    assert sorted(columns) == [3, 4, 5]
    assert liar.judged([[0.4, 0.0, 0.05, 0.2, 0.2, 0.15]], columns) == [Label.SUPPORTS]
    assert liar.judged([[0.5, 0.0, 0.0, 0.5, 0.0, 0.0]], columns) == [Label.REFUTES]


@pytest.mark.parametrize("true", [("certain",), GRADES])
def test_classes_that_the_model_lacks_or_all_of_them_are_refused(
    liar: Any, true: tuple[str, ...]
) -> None:
    with pytest.raises(ConfigurationError, match="name some of them, not all"):
        liar.columns_of(GRADES, true)


def test_a_label_model_reads_the_evidence_with_the_claim(liar: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason=REASON)
    folder = str(save_pair_model(tmp_path / "model", 2, ("false", "true")))
    texts = {"1": "aspirin lowers risk", "2": "statins in adults"}
    evidence = dict.fromkeys(texts, "heart attack")
    one = liar.predicted(folder, texts, evidence, ("true",))
    other = liar.predicted(folder, texts, evidence, ("false",))
    assert list(one) == list(texts)
    assert all(one[name] is not other[name] for name in texts)
