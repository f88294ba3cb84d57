"""What the two scorers on PyTorch share: a folder's model and tokeniser, and padded inputs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from claimscope.models.batched_scorer import BatchedScorer, Encoder
from claimscope.models.batching import token_inputs
from claimscope.models.checkpoint import Checkpoint
from claimscope.models.encoding import Encoded
from claimscope.models.locate import Found
from claimscope.models.settings import Progress, Settings
from claimscope.models.torch_runtime import load_model, load_tokenizer


class TorchScorer(BatchedScorer):
    """Opens the model of a folder as one of transformers' automatic classes."""

    KIND: ClassVar[str]
    """The automatic class."""

    def __init__(self, found: Found, settings: Settings, progress: Progress | None = None) -> None:
        self._tokenizer = load_tokenizer(found.folder)
        self._model = load_model(self.KIND, found.folder, settings)
        names, reader = self._names(found.checkpoint), self._reader(found.checkpoint)
        super().__init__(names, reader, settings, progress)

    @abstractmethod
    def _names(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        """Name the outputs."""

    @abstractmethod
    def _reader(self, checkpoint: Checkpoint) -> Encoder:
        """Give what turns pairs into token ids."""

    def _inputs(self, batch: Sequence[Encoded]) -> dict[str, NDArray[np.int64]]:
        return token_inputs([each.ids for each in batch], self._tokenizer.pad_token_id or 0)
