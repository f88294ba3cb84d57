"""Measures of confidence: calibration, and the error rate of confident decisions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from claimscope.measures import contributions as aggregates
from claimscope.measures.contributions import Counts, FloatArray, SortedDecisions, divide
from claimscope.measures.measure import ForecastData, Measure

BINS = 15
"""Bins of the calibration error, as in Guo et al. 2017."""


def _positions(data: ForecastData) -> dict[str, int]:
    """Give each claim a position, in the order they first occur."""
    names = dict.fromkeys(forecast.claim_id for forecast in data.forecasts)
    return {name: position for position, name in enumerate(names)}


def _bin(confidence: float, bins: int) -> int:
    """Give the bin of a confidence; a bin holds its upper edge."""
    return min(max(int(np.ceil(confidence * bins)) - 1, 0), bins - 1)


def _binned(data: ForecastData, bins: int) -> tuple[tuple[str, ...], FloatArray]:
    """Give for each claim and bin: decisions, summed confidence, right decisions."""
    positions = _positions(data)
    table = np.zeros((len(positions), bins, 3))
    for forecast in data.forecasts:
        cell = table[positions[forecast.claim_id], _bin(forecast.confidence, bins)]
        cell += (1, forecast.confidence, forecast.correct)
    return tuple(positions), table


def calibration_error(data: ForecastData, measure: Measure) -> Counts:
    """Mean gap between confidence and accuracy over bins of equal width (Guo et al. 2017)."""
    bins = measure.cutoff or BINS
    names, table = _binned(data, bins)
    return Counts(names, table.reshape(len(names), 3 * bins), _expected_gap)


def _expected_gap(sums: FloatArray) -> FloatArray:
    each = sums.reshape(*sums.shape[:-1], -1, 3)
    gap = np.abs(each[..., 1] - each[..., 2]).sum(axis=-1)
    return divide(gap, each[..., 0].sum(axis=-1))


def brier(data: ForecastData, measure: Measure) -> Counts:
    """Mean squared error of the probabilities (Brier 1950), halved to lie between 0 and 1."""
    positions = _positions(data)
    table = np.zeros((len(positions), 2))
    for forecast in data.forecasts:
        table[positions[forecast.claim_id]] += (forecast.squared_error, 1)
    return Counts(tuple(positions), table, aggregates.ratio)


def risk_coverage_area(data: ForecastData, measure: Measure) -> SortedDecisions:
    """Area under the risk-coverage curve (Geifman and El-Yaniv 2017): mean risk over coverages."""
    positions = _positions(data)
    forecasts = data.forecasts
    return SortedDecisions(
        tuple(positions),
        np.array([positions[each.claim_id] for each in forecasts], dtype=np.intp),
        np.array([each.confidence for each in forecasts], dtype=np.float64),
        np.array([each.correct for each in forecasts], dtype=np.float64),
        np.zeros(len(positions)),
        _mean_risk,
    )


def _mean_risk(weight: FloatArray, correct: FloatArray, gold: FloatArray) -> FloatArray:
    if not len(weight):
        return np.zeros(weight.shape[1])
    risk = divide(weight - correct, weight)
    step = np.diff(weight, axis=0, prepend=0.0)
    return divide((risk * step).sum(axis=0), weight[-1])


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """A bar of the reliability diagram: decisions whose confidence lies in (lower, upper]."""

    lower: float
    upper: float
    decisions: int
    confidence: float
    """Mean confidence; 0 in an empty bin."""
    accuracy: float


def reliability_bins(data: ForecastData, bins: int = BINS) -> list[ReliabilityBin]:
    """Give the bars of the reliability diagram, empty ones too."""
    _, table = _binned(data, bins)
    sums = table.sum(axis=0)
    means = divide(sums[:, 1:], sums[:, :1])
    return [
        ReliabilityBin(i / bins, (i + 1) / bins, int(sums[i, 0]), *map(float, means[i]))
        for i in range(bins)
    ]


@dataclass(frozen=True, slots=True)
class RiskCoveragePoint:
    """Coverage and error rate when decisions below a confidence are withheld."""

    threshold: float
    coverage: float
    """Share of decisions made."""
    risk: float
    """Share of wrong ones among those made."""


def risk_coverage_points(data: ForecastData) -> list[RiskCoveragePoint]:
    """Give the risk-coverage curve, from the surest decisions to all, one point per confidence."""
    points: list[RiskCoveragePoint] = []
    forecasts = sorted(data.forecasts, key=lambda each: -each.confidence)
    wrong = 0
    for made, forecast in enumerate(forecasts, 1):
        wrong += not forecast.correct
        if points and points[-1].threshold == forecast.confidence:
            points.pop()
        points.append(RiskCoveragePoint(forecast.confidence, made / len(forecasts), wrong / made))
    return points
