"""The prompt scorer on PyTorch: a sequence-to-sequence model that weighs target words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.models.batched_scorer import BatchedScorer
from claimscope.models.batching import padded
from claimscope.models.checkpoint import DESCRIPTION, Checkpoint
from claimscope.models.encoding import Encoded, PromptEncoder
from claimscope.models.settings import Progress, Settings
from claimscope.models.torch_runtime import load_model, load_tokenizer, run_model


class TorchPromptScorer(BatchedScorer):
    """Reads prompts and gives the target words' logits at the first decoder step.

    Only those are normalised afterwards, as in monoT5 (Nogueira et al., 2020, section 3).
    """

    def __init__(
        self,
        folder: Path,
        checkpoint: Checkpoint,
        settings: Settings,
        progress: Progress | None = None,
    ) -> None:
        self._tokenizer = load_tokenizer(folder)
        self._model = load_model("AutoModelForSeq2SeqLM", folder, settings)
        engine = self._tokenizer.backend_tokenizer
        self._targets = first_tokens(engine, checkpoint)
        encoder = PromptEncoder(engine, checkpoint.max_length, checkpoint.template)
        super().__init__(checkpoint.targets, encoder, settings, progress)

    def _run(self, batch: Sequence[Encoded]) -> list[list[float]]:
        start = self._model.config.decoder_start_token_id
        inputs = {
            "input_ids": padded([each.ids for each in batch], self._tokenizer.pad_token_id or 0),
            "attention_mask": padded([[1] * len(each.ids) for each in batch], 0),
            "decoder_input_ids": np.full((len(batch), 1), start, np.int64),
        }
        output = run_model(self._model, inputs)
        rows: list[list[float]] = output.logits[:, 0, self._targets].double().cpu().tolist()
        return rows


def first_tokens(tokenizer: Tokenizer, checkpoint: Checkpoint) -> list[int]:
    """Give the first token of every target word; two words must not begin alike."""
    if not checkpoint.targets:
        raise ConfigurationError(
            f"The model {checkpoint.name} reads prompts, but its target words and template are "
            f"not known; write them into {DESCRIPTION} in its folder."
        )
    tokens = [
        tokenizer.encode(word, add_special_tokens=False).ids[0] for word in checkpoint.targets
    ]
    if len(set(tokens)) < len(tokens):
        raise ConfigurationError(
            f"The target words {', '.join(checkpoint.targets)} begin with the same token in the "
            f"model {checkpoint.name}; choose others."
        )
    return tokens
