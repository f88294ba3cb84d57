"""What each claim contributes to a measure, and the formulas over summed contributions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import InputError

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


class Contributions(Protocol):
    """What each claim contributes to one measure."""

    @property
    def claim_ids(self) -> tuple[str, ...]:
        """The claims, in the order of the weights."""

    def values(self, weights: FloatArray) -> FloatArray:
        """Give the measure under each row of claim weights: (samples, claims) to (samples,)."""

    def joined(self, other: Self) -> Self:
        """Put the claims of another system after these, as if they were further claims."""


def value(contributions: Contributions) -> float:
    """Give the measure itself: every claim counts once."""
    return float(contributions.values(np.ones((1, len(contributions.claim_ids))))[0])


@dataclass(frozen=True, eq=False)
class Counts:
    """Contributions that add up: the measure is a formula of the summed counts."""

    claim_ids: tuple[str, ...]
    counts: FloatArray
    """One row a claim: (claims, counts)."""
    aggregate: Aggregate

    def values(self, weights: FloatArray) -> FloatArray:
        """Sum the counts under each weighting and apply the formula."""
        return self.aggregate(weights @ self.counts)

    def joined(self, other: Counts) -> Counts:
        """Put another system's counts below these."""
        return Counts(
            self.claim_ids + other.claim_ids,
            np.vstack([self.counts, other.counts]),
            self.aggregate,
        )


def counts(
    claim_ids: Sequence[str], rows: Sequence[Sequence[float]], width: int, aggregate: Aggregate
) -> Counts:
    """Make counts from one row per claim; the width makes an empty table well-formed."""
    table = np.array(rows, dtype=np.float64).reshape(len(claim_ids), width)
    return Counts(tuple(claim_ids), table, aggregate)


class SortedFormula(Protocol):
    """A formula over decisions sorted by falling score."""

    def __call__(self, weight: FloatArray, correct: FloatArray, gold: FloatArray) -> FloatArray:
        """Combine, at every distinct score, cumulated weight and correct weight with the gold sum.

        Shapes: (scores, samples), (scores, samples), (samples,) to (samples,).
        """


@dataclass(frozen=True, eq=False)
class SortedDecisions:
    """Contributions that are ranked across claims; equal scores count as one step."""

    claim_ids: tuple[str, ...]
    owner: NDArray[np.intp]
    """For each decision, the position of its claim."""
    score: FloatArray
    correct: FloatArray
    gold: FloatArray
    """For each claim, how many right decisions there are to be made."""
    formula: SortedFormula

    def values(self, weights: FloatArray) -> FloatArray:
        """Sort once, then cumulate the weights, a slice of the samples at a time."""
        order = np.argsort(-self.score, kind="stable")
        ends = _group_ends(self.score[order])
        rows = max(1, _CELLS // max(1, len(order)))
        parts = [
            self._slice(weights[start : start + rows], order, ends)
            for start in range(0, len(weights), rows)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _slice(
        self, weights: FloatArray, order: NDArray[np.intp], ends: NDArray[np.intp]
    ) -> FloatArray:
        # Decisions by samples: whole rows are then copied and added, several times faster.
        each = np.ascontiguousarray(weights.T)[self.owner[order]]
        weight = np.cumsum(each, axis=0)[ends]
        each *= self.correct[order, np.newaxis]
        correct = np.cumsum(each, axis=0)[ends]
        return self.formula(weight, correct, weights @ self.gold)

    def joined(self, other: SortedDecisions) -> SortedDecisions:
        """Rank another system's decisions together with these."""
        return SortedDecisions(
            self.claim_ids + other.claim_ids,
            np.concatenate([self.owner, other.owner + len(self.claim_ids)]),
            np.concatenate([self.score, other.score]),
            np.concatenate([self.correct, other.correct]),
            np.concatenate([self.gold, other.gold]),
            self.formula,
        )


_CELLS = 250_000
"""How many weights are held at once: 2 MB, which stays in the processor's cache."""


def _group_ends(score: FloatArray) -> NDArray[np.intp]:
    """Give the last position of every run of equal scores."""
    if not len(score):
        return np.zeros(0, dtype=np.intp)
    return np.append(np.flatnonzero(np.diff(score)), len(score) - 1)


def require_known_claims(predicted: Iterable[str], gold: Iterable[str]) -> None:
    """Refuse predictions for claims the gold does not have; pooled counts would be wrong."""
    unknown = sorted(set(predicted) - set(gold))
    if unknown:
        raise InputError(
            f"There are predictions for {len(unknown)} claims that the gold does not have, such as "
            f"{unknown[0]!r}; score them against the split they were made for."
        )
