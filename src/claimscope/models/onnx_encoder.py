"""The encoder of single texts on ONNX Runtime: a graph from token ids to a vector."""

from __future__ import annotations

from collections.abc import Sequence

from tokenizers import Tokenizer

from claimscope.models.batching import token_inputs
from claimscope.models.encoding import prepare
from claimscope.models.locate import Found
from claimscope.models.onnx_pairs import open_session
from claimscope.models.settings import Progress, Settings
from claimscope.models.text_encoder import BatchedEncoder


class OnnxEncoder(BatchedEncoder):
    """Reads texts with an exported encoder: model.onnx and tokenizer.json, padding number 0."""

    def __init__(self, found: Found, settings: Settings, progress: Progress | None = None) -> None:
        self._session = open_session(found.folder / "model.onnx", settings)
        engine = prepare(Tokenizer.from_file(str(found.folder / "tokenizer.json")))
        super().__init__(engine, found.checkpoint.max_length, settings, progress)

    def _run(self, batch: Sequence[Sequence[int]]) -> list[list[float]]:
        output = self._session.run(None, token_inputs(batch, 0))[0]
        rows: list[list[float]] = output.astype(float).tolist()
        return rows
