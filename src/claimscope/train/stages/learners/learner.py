"""What a learner is: a network with the examples it reads, the loss it lowers, and its folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.models.encoding import Encoded
from claimscope.models.runtime import token_inputs
from claimscope.models.scorer import Encoder, Pair
from claimscope.train.stages.examples import Example, output_of


@dataclass(frozen=True, slots=True)
class Row:
    """An example as token ids: one text for cross-encoders, two for bi-encoders."""

    texts: tuple[Encoded, ...]
    target: float
    claim: str

    @property
    def length(self) -> int:
        """How many tokens it has."""
        return sum(len(each.ids) for each in self.texts)


class Learner(ABC):
    """A network in training."""

    POOL: ClassVar[int] = 64
    """Batches among which rows are sorted by length; 1 leaves batches to chance."""

    def __init__(self, network: nn.Module, checkpoint: Checkpoint, device: str) -> None:
        self.network = network.to(device)
        self.checkpoint = checkpoint
        self.device = device

    @abstractmethod
    def rows(self, examples: Sequence[Example]) -> list[Row]:
        """Encode examples."""

    @abstractmethod
    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Give the mean loss of a batch."""

    @abstractmethod
    def write(self, folder: Path) -> None:
        """Write the model so that the package can open it."""

    def save(self, folder: Path) -> None:
        """Write the model and what its config cannot say."""
        folder.mkdir(parents=True, exist_ok=True)
        self.network.eval()
        self.write(folder)
        write_description(self.checkpoint, folder)

    def tensor(self, values: NDArray[np.int64]) -> Tensor:
        """Put numbers where the network is."""
        return torch.from_numpy(values).to(self.device)

    def padded(self, texts: Sequence[Encoded], padding: int) -> tuple[Tensor, Tensor]:
        """Give token ids and mask of texts."""
        inputs = token_inputs([each.ids for each in texts], padding)
        return self.tensor(inputs["input_ids"]), self.tensor(inputs["attention_mask"])


def read_together(
    reader: Encoder, examples: Sequence[Example], outputs: Sequence[str]
) -> list[Row]:
    """Encode claim and text as one, exactly as the scorer that will run the model does."""
    encoded = reader.encode([Pair(each.claim, each.evidence) for each in examples])
    return [
        Row((text,), output_of(each.target, outputs), each.claim_id)
        for text, each in zip(encoded, examples, strict=True)
    ]
