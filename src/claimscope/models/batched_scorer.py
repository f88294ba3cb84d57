"""What every scorer does alike: encode, run in batches, give the rows back in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from claimscope.models.batching import run_in_batches
from claimscope.models.encoding import Encoded
from claimscope.models.scorer import Matrix, Pair
from claimscope.models.settings import Progress, Settings


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
