"""Bootstrap intervals: how far a value may move with the choice of claims."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from claimscope.measures.aggregates import FloatArray
from claimscope.measures.contributions import Contributions, value

SAMPLES = 1_000
SEED = 13


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with the range it stays in for most resamplings of the claims."""

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
