"""Calibration error, Brier score, risk-coverage area and label-aware average precision."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from claimscope.labels import Label
from claimscope.measures import evaluate, parse_measure
from claimscope.measures.calibration import reliability_bins, risk_coverage_points
from claimscope.measures.measure import Forecast, ForecastData, Stance, StanceData
from claimscope.types import GoldEvidence

from .strategies import forecast_data


def _of(name: str, data: ForecastData | StanceData) -> float:
    return evaluate(parse_measure(name), data)


def _forecasts(*pairs: tuple[float, bool]) -> ForecastData:
    return ForecastData([Forecast.of_confidence(str(i), *pair) for i, pair in enumerate(pairs)])


def test_calibration_error_by_hand() -> None:
    data = _forecasts((0.95, True), (0.95, False), (0.55, True), (0.55, True))
    assert _of("ECE@10", data) == pytest.approx((abs(1.9 - 1) + abs(1.1 - 2)) / 4)


def test_a_bin_holds_its_upper_edge_and_zero_is_in_the_first() -> None:
    bins = reliability_bins(_forecasts((0.5, True), (0.0, False), (1.0, True)), 2)
    assert [each.decisions for each in bins] == [2, 1]
    assert bins[0].accuracy == 1 / 2


def test_brier_of_probabilities_is_halved() -> None:
    sure = {Label.SUPPORTS: 1.0, Label.REFUTES: 0.0}
    right = Forecast.of_probabilities("a", sure, Label.SUPPORTS)
    wrong = Forecast.of_probabilities("b", sure, Label.REFUTES)
    unnamed = Forecast.of_probabilities("c", sure, Label.DISPUTED)
    assert [each.squared_error for each in (right, wrong, unnamed)] == [0, 1, 1]
    assert [each.correct for each in (right, wrong, unnamed)] == [True, False, False]
    assert _of("Brier", ForecastData([right, wrong])) == 1 / 2


def test_risk_coverage_by_hand() -> None:
    data = _forecasts((0.9, True), (0.8, False), (0.7, True), (0.7, False))
    points = risk_coverage_points(data)
    assert [(p.threshold, p.coverage, p.risk) for p in points] == [
        (0.9, 1 / 4, 0),
        (0.8, 2 / 4, 1 / 2),
        (0.7, 1, 2 / 4),
    ]
    assert _of("AURC", data) == pytest.approx((0 + 1 / 2 + 2 * (1 / 2)) / 4)


@given(forecast_data)
def test_all_values_lie_between_0_and_1(data: ForecastData) -> None:
    for name in ("ECE", "ECE@3", "Brier", "AURC"):
        assert 0 <= _of(name, data) <= 1 + 1e-12


@given(forecast_data)
def test_order_does_not_matter_even_among_equals(data: ForecastData) -> None:
    turned = ForecastData(list(reversed(data.forecasts)))
    for name in ("ECE", "Brier", "AURC"):
        assert _of(name, turned) == pytest.approx(_of(name, data), abs=1e-12)


@given(forecast_data)
def test_the_bins_hold_every_decision(data: ForecastData) -> None:
    assert sum(each.decisions for each in reliability_bins(data)) == len(data.forecasts)


_GOLD = {
    "one": {"a": GoldEvidence(Label.SUPPORTS), "b": GoldEvidence(Label.REFUTES)},
    "two": {"c": GoldEvidence(Label.SUPPORTS), "d": GoldEvidence(Label.NOT_ENOUGH_INFO)},
}


def test_average_precision_by_hand() -> None:
    predicted = {
        "one": {"a": Stance(0.9, 0.1), "b": Stance(0.6, 0.1), "x": Stance(0.2, 0.8)},
        "two": {"d": Stance(0.7, 0.2)},
    }
    # a is right at rank 1; x, d and the wrong label for b follow; c was never considered.
    assert _of("label-aware-AP", StanceData(_GOLD, predicted)) == pytest.approx(1 / 3)


def test_average_precision_is_0_without_predictions() -> None:
    assert _of("label-aware-AP", StanceData(_GOLD, {})) == 0


@given(st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=1, max_size=30))
def test_average_precision_agrees_with_scikit_learn_when_labels_are_right(
    pairs: list[tuple[int, bool]],
) -> None:
    gold = {
        str(i): {"d": GoldEvidence(Label.SUPPORTS)} if relevant else {}
        for i, (_, relevant) in enumerate(pairs)
    }
    predicted = {str(i): {"d": Stance(score / 10, 0.0)} for i, (score, _) in enumerate(pairs)}
    if any(relevant for _, relevant in pairs):
        theirs = average_precision_score([r for _, r in pairs], [s for s, _ in pairs])
        assert _of("label-aware-AP", StanceData(gold, predicted)) == pytest.approx(theirs)
