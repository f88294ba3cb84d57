"""Scorers of pairs: a claim and a text in, one number for each named output out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from claimscope.models.runtime import Progress, Settings, run_in_batches

if TYPE_CHECKING:  # Stages are built without the tokenisers.
    from claimscope.models.encoding import Encoded

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


class Encoder(Protocol):
    """Turns pairs into token ids."""

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """Encode every pair."""


class BatchedScorer(ABC):
    """Scores encoded pairs in batches."""

    def __init__(
        self,
        labels: tuple[str, ...],
        encoder: Encoder,
        settings: Settings,
        progress: Progress | None,
    ) -> None:
        self.labels = labels
        self._encoder = encoder
        self._settings = settings
        self._progress = progress

    def logits(self, pairs: Sequence[Pair]) -> Matrix:
        """Give the model's outputs, one row a pair."""
        rows = run_in_batches(
            self._encoder.encode(pairs),
            lambda each: len(each.ids),
            self._run,
            self._settings.batch_size,
            self._progress,
        )
        return np.array(rows, dtype=np.float64).reshape(len(pairs), len(self.labels))

    @abstractmethod
    def _run(self, batch: Sequence[Encoded]) -> list[list[float]]:
        """Run one batch."""


def log_probabilities(logits: Matrix) -> Matrix:
    """Normalise each row by softmax; a single output passes through the logistic function."""
    if logits.shape[1] == 1:
        return np.asarray(-np.logaddexp(0.0, -logits))
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def probabilities(logits: Matrix) -> Matrix:
    """Give the normalised outputs as probabilities."""
    return np.asarray(np.exp(log_probabilities(logits)))
