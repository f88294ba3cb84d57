"""Bootstrap intervals, randomisation tests and spreads."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from itertools import product
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.measures import (
    Measure,
    contributions,
    evaluate,
    parse_measure,
    randomisation_test,
    scifact_measures,
    spread,
)
from claimscope.measures.intervals import bootstrap
from claimscope.measures.measure import (
    EvidenceData,
    Forecast,
    ForecastData,
    LabelData,
    PredictedEvidence,
    RankingData,
    Stance,
    StanceData,
)
from claimscope.types import GoldEvidence

from .strategies import CLAIMS, evidence_data, forecast_data, label_data, ranking_data

T = TypeVar("T")
_ACCURACY = parse_measure("accuracy")


def _labels(right: str) -> LabelData:
    """Make label data from a string of 1 (right) and 0 (wrong)."""
    gold = {str(i): Label.SUPPORTS for i in range(len(right))}
    answers = {"1": Label.SUPPORTS, "0": Label.REFUTES}
    return LabelData(gold, {str(i): answers[each] for i, each in enumerate(right)})


def test_an_interval_holds_its_value_and_is_repeatable() -> None:
    measured = contributions(_ACCURACY, _labels("1101101110" * 30))
    interval = bootstrap(measured)
    assert interval.low < interval.value < interval.high
    assert interval == bootstrap(measured)
    # The normal approximation for a proportion of 0.7 over 300 claims.
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * (0.21 / 300) ** 0.5, rel=0.1)


def test_nothing_to_draw_from_gives_a_point() -> None:
    interval = bootstrap(contributions(_ACCURACY, LabelData({}, {})))
    assert (interval.value, interval.low, interval.high, interval.samples) == (0, 0, 0, 0)


@settings(max_examples=30)
@given(evidence_data, forecast_data)
def test_every_interval_stays_between_0_and_1(
    evidence: EvidenceData, forecasts: ForecastData
) -> None:
    pairs = [(measure, evidence) for measure in scifact_measures()]
    for measure, data in [*pairs, (parse_measure("AURC"), forecasts)]:
        interval = bootstrap(contributions(measure, data), samples=50)
        assert 0 <= interval.low <= interval.high <= 1 + 1e-12


def test_the_randomisation_test_agrees_with_all_swaps_by_hand() -> None:
    first, second = "1111110111", "1010010011"
    data = _labels(first), _labels(second)
    comparison = randomisation_test(*(contributions(_ACCURACY, each) for each in data))
    pairs = [int(a) - int(b) for a, b in zip(first, second, strict=True)]
    observed = abs(sum(pairs))
    signs = list(product((1, -1), repeat=len(pairs)))
    exact = sum(
        abs(sum(s * d for s, d in zip(sign, pairs, strict=True))) >= observed for sign in signs
    ) / len(signs)
    assert comparison.difference == pytest.approx(0.4)
    assert comparison.p_value == pytest.approx(exact, abs=0.02)


def test_equal_systems_do_not_differ_and_unequal_ones_do() -> None:
    good = contributions(_ACCURACY, _labels("1" * 40))
    poor = contributions(_ACCURACY, _labels("10" * 20))
    assert randomisation_test(good, good, rounds=500).p_value == 1
    assert randomisation_test(good, poor, rounds=500).p_value == pytest.approx(1 / 501)


def test_ranked_measures_can_be_compared_too() -> None:
    gold = {str(i): {"d": GoldEvidence(Label.SUPPORTS)} for i in range(30)}
    good = StanceData(gold, {claim: {"d": Stance(0.9, 0.0)} for claim in gold})
    poor = StanceData(gold, {claim: {"d": Stance(0.1, 0.9)} for claim in gold})
    measure = parse_measure("label-aware-AP")
    comparison = randomisation_test(contributions(measure, good), contributions(measure, poor), 200)
    assert comparison.difference == 1
    assert comparison.p_value < 0.01


def test_different_claims_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="different claims"):
        randomisation_test(
            contributions(_ACCURACY, _labels("11")), contributions(_ACCURACY, _labels("111"))
        )


def test_a_spread_is_mean_and_sample_deviation() -> None:
    result = spread([0.6, 0.7, 0.8])
    assert result.mean == pytest.approx(0.7)
    assert result.standard_deviation == pytest.approx(0.1)
    assert spread([0.5]).standard_deviation == 0
    with pytest.raises(InputError, match="no runs"):
        spread([])


def _three_hundred_claims() -> EvidenceData:
    chance = random.Random(1)
    gold = {}
    predictions = {}
    for claim in map(str, range(300)):
        gold[claim] = {"d": GoldEvidence(Label.SUPPORTS, (frozenset({1, 2}), frozenset({5})))}
        chosen = tuple(chance.sample(range(8), 3))
        predictions[claim] = {"d": PredictedEvidence(Label.SUPPORTS, chosen)}
    return EvidenceData(gold, predictions)


def test_300_claims_with_1000_samples_take_less_than_5_seconds() -> None:
    data = _three_hundred_claims()
    chance = random.Random(2)
    forecasts = ForecastData(
        [Forecast.of_confidence(claim, chance.random(), True) for claim in data.gold] * 20
    )
    start = time.perf_counter()
    for measure in scifact_measures():
        bootstrap(contributions(measure, data))
    for name in ("ECE", "Brier", "AURC"):
        bootstrap(contributions(parse_measure(name), forecasts))
    assert time.perf_counter() - start < 5


_weights = st.lists(st.integers(0, 3), min_size=len(CLAIMS), max_size=len(CLAIMS))


def _weighted(measure: Measure, data: object, weights: dict[str, int]) -> float:
    measured = contributions(measure, data)
    row = [[float(weights[claim]) for claim in measured.claim_ids]]
    return float(measured.values(np.array(row).reshape(1, len(measured.claim_ids)))[0])


def _repeated(weights: dict[str, int], values: Mapping[str, T]) -> dict[str, T]:
    """Repeat each claim as often as it weighs, under new names."""
    return {f"{claim} {i}": v for claim, v in values.items() for i in range(weights[claim])}


@given(_weights, ranking_data, evidence_data, label_data, forecast_data)
def test_a_weight_is_as_good_as_repeating_the_claim(
    drawn: list[int],
    ranking: RankingData,
    evidence: EvidenceData,
    label: LabelData,
    forecast: ForecastData,
) -> None:
    weights = {**dict(zip(CLAIMS, drawn, strict=True)), "unknown": 0}
    data: dict[str, tuple[object, object]] = {}
    known = {claim: each for claim, each in ranking.run.items() if claim in ranking.qrels}
    data["macro-R@3"] = data["R@3"] = data["hit-one@2"] = data["nDCG"] = (
        ranking,
        RankingData(_repeated(weights, ranking.qrels), _repeated(weights, known)),
    )
    data["sentence-label F1"] = data["abstract-rationalized P"] = (
        evidence,
        EvidenceData(_repeated(weights, evidence.gold), _repeated(weights, evidence.predictions)),
    )
    data["macro-F1"] = data["accuracy"] = (
        label,
        LabelData(_repeated(weights, label.gold), _repeated(weights, label.predicted)),
    )
    data["ECE"] = data["Brier"] = data["AURC"] = (
        forecast,
        ForecastData([f for f in forecast.forecasts for _ in range(weights[f.claim_id])]),
    )
    for name, (once, repeated) in data.items():
        measure = parse_measure(name)
        expected = evaluate(measure, repeated)
        assert _weighted(measure, once, weights) == pytest.approx(expected, abs=1e-12), name
