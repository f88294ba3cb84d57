"""Learns to answer prompts with target words: monoT5 and VerT5erini's two T5s."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from claimscope.models.checkpoint import Checkpoint
from claimscope.models.encoding import PromptEncoder
from claimscope.models.runtime import padded
from claimscope.models.torch_models import first_tokens
from claimscope.train.stages.examples import Example
from claimscope.train.stages.learners.learner import Learner, Row, read_together
from claimscope.train.stages.networks.pretrained import PromptNetwork

_IGNORED = -100


class PromptLearner(Learner):
    """Fills the template that the finished model will read, and wants the target word after it."""

    def __init__(
        self, network: PromptNetwork, checkpoint: Checkpoint, device: str, tokenizer: Any
    ) -> None:
        super().__init__(network, checkpoint, device)
        engine = tokenizer.backend_tokenizer
        first_tokens(engine, checkpoint)
        self._saved = (network.encoder, tokenizer)
        self._padding = tokenizer.pad_token_id or 0
        self._reader = PromptEncoder(engine, checkpoint.max_length, checkpoint.template)
        self._answers = [list(engine.encode(word).ids) for word in checkpoint.targets]

    def rows(self, examples: Sequence[Example]) -> list[Row]:
        """Encode prompts."""
        return read_together(self._reader, examples, self.checkpoint.targets)

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Give the mean loss of the target words and of ending after them."""
        ids, mask = self.padded([row.texts[0] for row in rows], self._padding)
        answers = padded([self._answers[int(row.target)] for row in rows], _IGNORED)
        loss: Tensor = self.network(ids, mask, self.tensor(answers))
        return loss

    def write(self, folder: Path) -> None:
        """Write weights, config and tokeniser."""
        for each in self._saved:
            each.save_pretrained(folder)
