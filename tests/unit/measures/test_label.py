from __future__ import annotations

import pytest
from hypothesis import given
from sklearn.metrics import f1_score

from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.measures import evaluate, parse_measure
from claimscope.measures.label import confusion
from claimscope.measures.measure import LabelData

from .strategies import label_data

_S, _R, _N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
_DATA = LabelData(
    {"a": _S, "b": _S, "c": _R, "d": _R, "e": _N}, {"a": _S, "b": _R, "c": _R, "d": _N, "e": _N}
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("accuracy", 3 / 5),
        ("SUPPORTS P", 1),
        ("SUPPORTS R", 1 / 2),
        ("REFUTES F1", 1 / 2),
        ("binary-F1", 1 / 2),
        ("DISPUTED F1", 0),
        ("macro-F1", (2 / 3 + 1 / 2 + 2 / 3) / 3),
    ],
)
def test_by_hand(name: str, expected: float) -> None:
    assert evaluate(parse_measure(name), _DATA) == pytest.approx(expected)


@given(label_data)
def test_macro_f1_agrees_with_scikit_learn(data: LabelData) -> None:
    gold = [label.value for label in data.gold.values()]
    predicted = [data.predicted[claim].value for claim in data.gold]
    theirs = f1_score(gold, predicted, average="macro", zero_division=0)
    assert evaluate(parse_measure("macro-F1"), data) == pytest.approx(theirs)


@given(label_data)
def test_the_confusion_counts_every_claim(data: LabelData) -> None:
    table = confusion(data)
    assert sum(table.values()) == len(data.gold)
    right = sum(count for (gold, predicted), count in table.items() if gold is predicted)
    assert evaluate(parse_measure("accuracy"), data) == pytest.approx(right / len(data.gold))


def test_a_claim_without_prediction_is_refused() -> None:
    with pytest.raises(InputError, match="Claim 'b' has no predicted label"):
        evaluate(parse_measure("accuracy"), LabelData({"a": _S, "b": _S}, {"a": _S}))
