"""What pair scorers and prompt scorers have in common: a claim and a text in, named numbers out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


class Pair(NamedTuple):
    """A claim and a text that may say something about it."""

    claim: str
    evidence: str


class Scorer(Protocol):
    """A model that gives every pair one number for each of its outputs."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What each output means; a model with one output gives a score, whatever its name."""

    def logits(self, pairs: Sequence[Pair]) -> Matrix:
        """Give the raw outputs, one row a pair, in the order of the pairs."""


def log_probabilities(logits: Matrix) -> Matrix:
    """Normalise each row by softmax; a single output passes through the logistic function."""
    if logits.shape[1] == 1:
        return np.asarray(-np.logaddexp(0.0, -logits))
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def probabilities(logits: Matrix) -> Matrix:
    """Give the normalised outputs as probabilities."""
    return np.asarray(np.exp(log_probabilities(logits)))
