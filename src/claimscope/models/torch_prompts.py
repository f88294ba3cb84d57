"""The prompt scorer on PyTorch: a sequence-to-sequence model that weighs target words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.models.checkpoint import DESCRIPTION, Checkpoint
from claimscope.models.encoding import Encoded, PromptEncoder
from claimscope.models.torch_runtime import run_model
from claimscope.models.torch_scorer import TorchScorer


class TorchPromptScorer(TorchScorer):
    """Reads prompts and gives the target words' logits at the first decoder step.

    Only those are normalised afterwards, as in monoT5 (Nogueira et al., 2020, section 3).
    """

    KIND = "AutoModelForSeq2SeqLM"

    def _names(self, checkpoint: Checkpoint) -> tuple[str, ...]:
        self._targets = first_tokens(self._tokenizer.backend_tokenizer, checkpoint)
        return checkpoint.targets

    def _reader(self, checkpoint: Checkpoint) -> PromptEncoder:
        engine = self._tokenizer.backend_tokenizer
        return PromptEncoder(engine, checkpoint.max_length, checkpoint.template)

    def _run(self, batch: Sequence[Encoded]) -> list[list[float]]:
        start = self._model.config.decoder_start_token_id
        inputs = self._inputs(batch)
        inputs["decoder_input_ids"] = np.full((len(batch), 1), start, np.int64)
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
