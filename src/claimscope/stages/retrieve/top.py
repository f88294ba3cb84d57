"""The best of many scores, in an order that never depends on chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ranked = list[tuple[int, float]]
"""Positions of documents with their scores, best first."""


def top(scores: NDArray[np.float64], k: int) -> Ranked:
    """Give the k best positive scores; a tie goes to the document that comes first."""
    found = np.flatnonzero(scores > 0)
    if len(found) > k:
        threshold = np.partition(scores[found], len(found) - k)[len(found) - k]
        found = found[scores[found] >= threshold]
    order = np.argsort(-scores[found], kind="stable")[:k]
    return [(int(position), float(scores[position])) for position in found[order]]


def rank(scores: NDArray[np.float64], position: int) -> int | None:
    """Give the rank of one document, counted from 1, or None if its score is not positive."""
    score = scores[position]
    if score <= 0:
        return None
    before = np.count_nonzero(scores > score) + np.count_nonzero(scores[:position] == score)
    return int(before) + 1
