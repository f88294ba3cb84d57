"""Formulas from summed counts to a value; the last axis holds the counts, the others are free."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Aggregate = Callable[[FloatArray], FloatArray]


def divide(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide; a zero denominator gives 0, as in the SciFact leaderboard's evaluator."""
    safe = np.where(denominator == 0, 1.0, denominator)
    return np.where(denominator == 0, 0.0, numerator / safe)


def ratio(counts: FloatArray) -> FloatArray:
    """First count over the second: a mean when the second counts claims."""
    return divide(counts[..., 0], counts[..., 1])


def precision(counts: FloatArray) -> FloatArray:
    """Of [correct, predicted, gold]: correct over predicted."""
    return divide(counts[..., 0], counts[..., 1])


def recall(counts: FloatArray) -> FloatArray:
    """Of [correct, predicted, gold]: correct over gold."""
    return divide(counts[..., 0], counts[..., 2])


def f1(counts: FloatArray) -> FloatArray:
    """Of [correct, predicted, gold]: the harmonic mean of precision and recall."""
    return harmonic_mean(precision(counts), recall(counts))


def harmonic_mean(a: FloatArray, b: FloatArray) -> FloatArray:
    """Harmonic mean of two values; 0 if both are."""
    return divide(2 * a * b, a + b)
