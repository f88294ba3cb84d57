from __future__ import annotations

import pytest

from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.measures import evaluate, parse_measure
from claimscope.measures.measure import Answer, AnswerData

_GOLD = {
    "a": Answer(Label.SUPPORTS, ("e1", "e2")),
    "b": Answer(Label.DISPUTED, ("e3",)),
}


def _of(name: str, **predicted: Answer) -> float:
    return evaluate(parse_measure(name), AnswerData(_GOLD, predicted))


def test_by_hand() -> None:
    answers = {
        "a": Answer(Label.SUPPORTS, ("e1", "x", "y")),  # P 1/3, R 1/2, F 2/5
        "b": Answer(Label.REFUTES, ("e3",)),  # F 1
    }
    assert _of("climate-F", **answers) == pytest.approx((2 / 5 + 1) / 2)
    assert _of("climate-A", **answers) == pytest.approx(1 / 2)
    assert _of("climate-H", **answers) == pytest.approx(2 * 0.7 * 0.5 / 1.2)


def test_a_missing_answer_scores_0_and_so_does_nothing_at_all() -> None:
    assert _of("climate-A", a=Answer(Label.SUPPORTS)) == 1 / 2
    assert _of("climate-H") == 0


def test_a_passage_predicted_twice_counts_twice() -> None:
    assert _of("climate-F", b=Answer(Label.DISPUTED, ("e3", "e3"))) == pytest.approx(2 / 3 / 2)


def test_unknown_claims_are_refused() -> None:
    with pytest.raises(InputError, match="'z'"):
        _of("climate-F", z=Answer(Label.SUPPORTS))
