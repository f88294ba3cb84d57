"""The encoder of single texts on ONNX Runtime: a graph from token ids to a vector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer

from claimscope.models.batching import padded
from claimscope.models.checkpoint import Checkpoint
from claimscope.models.encoding import prepare
from claimscope.models.onnx_pairs import open_session
from claimscope.models.settings import Progress, Settings
from claimscope.models.text_encoder import BatchedEncoder


class OnnxEncoder(BatchedEncoder):
    """Reads texts with an exported encoder: model.onnx and tokenizer.json, padding number 0."""

    def __init__(
        self,
        folder: Path,
        checkpoint: Checkpoint,
        settings: Settings,
        progress: Progress | None = None,
    ) -> None:
        self._session = open_session(folder / "model.onnx", settings)
        engine = prepare(Tokenizer.from_file(str(folder / "tokenizer.json")))
        super().__init__(engine, checkpoint.max_length, settings, progress)

    def _run(self, batch: Sequence[Sequence[int]]) -> list[list[float]]:
        inputs = {
            "input_ids": padded(batch, 0),
            "attention_mask": padded([[1] * len(each) for each in batch], 0),
        }
        rows: list[list[float]] = self._session.run(None, inputs)[0].astype(float).tolist()
        return rows
