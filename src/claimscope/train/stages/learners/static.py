"""Learns static vectors of claims and texts, which need no network to be computed."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer

from claimscope.models.checkpoint import Checkpoint
from claimscope.train.rounding import round_weights
from claimscope.train.stages.learners.dense import DenseLearner, Encoders
from claimscope.train.stages.learners.exporting import export_onnx
from claimscope.train.stages.networks.static import StaticEncoder, TableEncoder


class StaticLearner(DenseLearner):
    """One static encoder for claims and texts, written as a table of one byte a number."""

    def __init__(
        self, encoder: StaticEncoder, checkpoint: Checkpoint, device: str, tokenizer: Tokenizer
    ) -> None:
        super().__init__(Encoders(encoder, encoder), checkpoint, device, tokenizer)
        self._static = encoder

    def write(self, folder: Path) -> None:
        """Fold the network into a table and write that."""
        export_onnx(TableEncoder(self._static.table()), self._tokenizer, folder)
        single, small = folder / "model.onnx", folder / "rounded.onnx"
        round_weights(single, small)
        small.replace(single)
