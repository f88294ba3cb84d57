"""What encoders of single texts have in common: texts in, vectors of unit length out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.models.runtime import Progress, Settings, run_in_batches

Vectors = NDArray[np.float32]


class TextEncoder(Protocol):
    """Turns texts into vectors whose inner product is their likeness."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Give one vector per text, each of length one."""


class BatchedEncoder(ABC):
    """Encodes texts in batches; texts that are too long are cut at the end."""

    def __init__(
        self, tokenizer: Tokenizer, max_length: int, settings: Settings, progress: Progress | None
    ) -> None:
        self._engine = tokenizer
        self._max_length = max_length
        self._settings = settings
        self._progress = progress

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Give one vector per text, each of length one."""
        rows = run_in_batches(
            text_ids(self._engine, texts, self._max_length),
            len,
            self._run,
            self._settings.batch_size,
            self._progress,
        )
        if not rows:
            return np.zeros((0, 1), dtype=np.float32)
        matrix = np.asarray(rows, dtype=np.float32)
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        return np.asarray(matrix / np.maximum(norms, np.finfo(np.float32).tiny), dtype=np.float32)

    @abstractmethod
    def _run(self, batch: Sequence[Sequence[int]]) -> list[list[float]]:
        """Encode the token ids of a batch."""


def text_ids(tokenizer: Tokenizer, texts: Sequence[str], max_length: int) -> list[list[int]]:
    """Give the token ids of texts, special tokens included, cut to a maximum length."""
    room = max_length - tokenizer.num_special_tokens_to_add(False)
    found = []
    for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False):
        encoding.truncate(room)
        found.append(list(tokenizer.post_process(encoding).ids))
    return found
