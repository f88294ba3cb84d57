"""The encoder of single texts on PyTorch: the mean of any encoder's token states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from claimscope.models.batching import token_inputs
from claimscope.models.locate import Found
from claimscope.models.settings import Progress, Settings
from claimscope.models.text_encoder import BatchedEncoder
from claimscope.models.torch_runtime import load_model, load_tokenizer, run_model


class TorchEncoder(BatchedEncoder):
    """Averages the last token states (Reimers and Gurevych, 2019, section 3)."""

    def __init__(self, found: Found, settings: Settings, progress: Progress | None = None) -> None:
        tokenizer = load_tokenizer(found.folder)
        self._padding = tokenizer.pad_token_id or 0
        self._model = load_model("AutoModel", found.folder, settings)
        engine = tokenizer.backend_tokenizer
        super().__init__(engine, found.checkpoint.max_length, settings, progress)

    def _run(self, batch: Sequence[Sequence[int]]) -> list[list[float]]:
        inputs = token_inputs(batch, self._padding)
        states = run_model(self._model, inputs).last_hidden_state
        mask = states.new_tensor(inputs["attention_mask"])
        rows: list[list[float]] = mean_pooled(states, mask).cpu().tolist()
        return rows


def mean_pooled(states: Any, mask: Any) -> Any:
    """Average the states of the tokens that are no padding."""
    weights = mask[..., None].to(states.dtype)
    return (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)
