"""Learns to read pairs: one network for retrieval, rationale, label and the climate system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from claimscope.models.checkpoint import Checkpoint
from claimscope.models.encoding import PairEncoder
from claimscope.models.runtime import padded
from claimscope.train.stages.examples import Example
from claimscope.train.stages.learners.exporting import export_onnx, write_config
from claimscope.train.stages.learners.learner import Learner, Row, read_together
from claimscope.train.stages.networks.pretrained import PretrainedClassifier


def _absolute(logits: Tensor, targets: Tensor) -> Tensor:
    return functional.l1_loss(torch.sigmoid(logits[:, 0]), targets)


def _binary(logits: Tensor, targets: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits[:, 0], targets)


def _cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(logits, targets.long())


LOSSES: Mapping[str, Callable[[Tensor, Tensor], Tensor]] = MappingProxyType(
    {"cross-entropy": _cross_entropy, "binary": _binary, "absolute": _absolute}
)
""""absolute" is the distance of the logistic output from the target, as +VeriRel's code has it."""


class PairLearner(Learner):
    """Reads pairs with any network that takes token ids, mask and types."""

    def __init__(
        self,
        network: nn.Module,
        checkpoint: Checkpoint,
        device: str,
        tokenizer: Tokenizer,
        padding: int = 0,
        with_types: bool = False,
        loss: str = "cross-entropy",
    ) -> None:
        super().__init__(network, checkpoint, device)
        self._tokenizer = tokenizer
        self._padding = padding
        self._with_types = with_types
        self._loss = LOSSES[loss]
        self._reader = PairEncoder(tokenizer, checkpoint.max_length, checkpoint.evidence_first)

    def rows(self, examples: Sequence[Example]) -> list[Row]:
        """Encode pairs."""
        return read_together(self._reader, examples, self.checkpoint.labels)

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Give the mean loss of a batch."""
        texts = [row.texts[0] for row in rows]
        ids, mask = self.padded(texts, self._padding)
        types = self.tensor(padded([each.types for each in texts], 0)) if self._with_types else None
        targets = torch.tensor([row.target for row in rows], device=self.device)
        return self._loss(self.network(ids, mask, types), targets)

    def write(self, folder: Path) -> None:
        """Write a network from scratch as ONNX."""
        export_onnx(self.network, self._tokenizer, folder)
        write_config(self.checkpoint.labels, folder)


class PretrainedPairLearner(PairLearner):
    """Reads pairs with a classifier of transformers, and saves it in transformers' layout."""

    def __init__(
        self,
        network: PretrainedClassifier,
        checkpoint: Checkpoint,
        device: str,
        tokenizer: Any,
        loss: str,
    ) -> None:
        super().__init__(
            network,
            checkpoint,
            device,
            tokenizer.backend_tokenizer,
            tokenizer.pad_token_id or 0,
            "token_type_ids" in tokenizer.model_input_names,
            loss,
        )
        self._saved = (network.model, tokenizer)

    def write(self, folder: Path) -> None:
        """Write weights, config with the names of the outputs, and tokeniser."""
        for each in self._saved:
            each.save_pretrained(folder)
