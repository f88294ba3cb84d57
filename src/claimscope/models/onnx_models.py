"""Models on ONNX Runtime, which need no PyTorch: the pair scorer and the encoder of texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.models.checkpoint import Checkpoint
from claimscope.models.encoding import Encoded, PairEncoder, prepare
from claimscope.models.locate import Found
from claimscope.models.runtime import Progress, Settings, padded, token_inputs
from claimscope.models.scorer import BatchedScorer, class_names
from claimscope.models.text_encoder import BatchedEncoder


class OnnxPairScorer(BatchedScorer):
    """Reads pairs with an exported classifier: model.onnx, config.json and tokenizer.json.

    The graph's first output holds the classes; of the inputs input_ids, attention_mask and
    token_type_ids it gets those it has.
    """

    def __init__(self, found: Found, settings: Settings, progress: Progress | None = None) -> None:
        row, config = found.checkpoint, _read_config(found.folder)
        self._session = open_session(found.folder / "model.onnx", settings)
        self._names = {each.name for each in self._session.get_inputs()}
        self._padding = int(config.get("pad_token_id") or 0)
        tokenizer = prepare(Tokenizer.from_file(str(found.folder / "tokenizer.json")))
        reader = PairEncoder(tokenizer, row.max_length, row.evidence_first)
        super().__init__(_labels(config, self._session, row), reader, settings, progress)

    def _run(self, batch: Sequence[Encoded]) -> list[list[float]]:
        inputs = token_inputs([each.ids for each in batch], self._padding)
        inputs["token_type_ids"] = padded([each.types for each in batch], 0)
        wanted = {name: value for name, value in inputs.items() if name in self._names}
        rows: list[list[float]] = self._session.run(None, wanted)[0].astype(float).tolist()
        return rows


def open_session(path: Path, settings: Settings) -> Any:
    """Open an exported model on the processor."""
    import onnxruntime  # type: ignore[import-untyped]
    from onnxruntime.capi import (  # type: ignore[import-untyped]
        onnxruntime_pybind11_state as state,
    )

    options = onnxruntime.SessionOptions()
    # Windows differ in length, and a plan of memory that is kept for one serves no other.
    options.enable_mem_pattern = False
    # Threads of one session that wait for work by spinning slow the next session's down.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    if settings.threads is not None:
        options.intra_op_num_threads = settings.threads
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (state.Fail, state.InvalidGraph, state.InvalidProtobuf, state.NoSuchFile) as error:
        said = str(error).strip().rpartition(" : ")[2]
        raise ConfigurationError(
            f"The model {path} cannot be opened ({said}); copy the whole folder of the model again."
        ) from None


def _labels(config: dict[str, Any], session: Any, checkpoint: Checkpoint) -> tuple[str, ...]:
    """Name the outputs; the graph knows how many there are, unless it was exported to vary."""
    named = config.get("id2label", {})
    width = session.get_outputs()[0].shape[-1]
    count = width if isinstance(width, int) else len(named) or len(checkpoint.labels) or 1
    return class_names(named, count, checkpoint)


def _read_config(folder: Path) -> dict[str, Any]:
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise ConfigurationError(f"The model in {folder} lacks {name}; export it again.")
    config: dict[str, Any] = json.loads((folder / "config.json").read_text("utf-8"))
    return config


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
