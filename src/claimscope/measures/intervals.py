"""Bootstrap intervals, paired randomisation tests and the spread over seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np

from claimscope.errors import InputError
from claimscope.measures.contributions import Contributions, FloatArray, value

SAMPLES = 1_000
SEED = 13


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its confidence interval from resamplings of the claims."""

    value: float
    low: float
    high: float
    mean: float
    """Mean over the samples, which the SciFact-Open paper reports in place of the value."""
    level: float
    samples: int


def bootstrap(
    contributions: Contributions,
    samples: int = SAMPLES,
    level: float = 0.95,
    seed: int = SEED,
) -> Interval:
    """Resample claims with replacement (Efron 1979) and take the percentiles.

    One seed draws the same samples for every measure and system over the same number of claims, so
    that their intervals can be compared.
    """
    point = value(contributions)
    drawn = contributions.values(resamples(len(contributions.claim_ids), samples, seed))
    if not len(drawn):
        return Interval(point, point, point, point, level, 0)
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(point, float(low), float(high), float(drawn.mean()), level, samples)


@lru_cache(maxsize=1)
def resamples(claims: int, samples: int = SAMPLES, seed: int = SEED) -> FloatArray:
    """Give how often each sample drew each claim: (samples, claims)."""
    if not claims:
        return np.zeros((0, 0))
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(claims, np.full(claims, 1 / claims), samples).astype(np.float64)
    drawn.flags.writeable = False  # All measures share it.
    return drawn


_Contributions = TypeVar("_Contributions", bound=Contributions)

ROUNDS = 10_000
_SLICE = 1_000
_EQUAL = 1e-12
"""Differences closer than this are equal; sums in another order differ in the last digits."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same claims: their difference and how often chance gives one as large."""

    first: float
    second: float
    difference: float
    p_value: float
    rounds: int


def randomisation_test(
    first: _Contributions, second: _Contributions, rounds: int = ROUNDS, seed: int = SEED
) -> Comparison:
    """Swap the two systems' results claim by claim at random (Noreen 1989; Smucker et al. 2007).

    The p-value is two-sided and never 0: the outcome itself counts as one of the rounds.
    """
    claims = len(first.claim_ids)
    if first.claim_ids != second.claim_ids:
        raise InputError(
            "The two runs were scored on different claims; score both on the same split to compare."
        )
    difference = value(first) - value(second)
    both = first.joined(second)
    generator = np.random.default_rng(seed)
    extreme = 0
    for start in range(0, rounds, _SLICE):
        swap = generator.integers(0, 2, (min(_SLICE, rounds - start), claims)).astype(np.float64)
        one = both.values(np.hstack([1 - swap, swap]))
        other = both.values(np.hstack([swap, 1 - swap]))
        extreme += int((np.abs(one - other) >= abs(difference) - _EQUAL).sum())
    return Comparison(value(first), value(second), difference, (extreme + 1) / (rounds + 1), rounds)


@dataclass(frozen=True, slots=True)
class Spread:
    """A value over repeated runs with different seeds."""

    mean: float
    standard_deviation: float
    """Of the sample (n - 1); 0 for a single run."""
    values: tuple[float, ...]


def spread(values: Sequence[float]) -> Spread:
    """Summarise one value over repeated runs."""
    if not values:
        raise InputError("There are no runs to summarise; give at least one value.")
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return Spread(float(np.mean(values)), deviation, tuple(values))
