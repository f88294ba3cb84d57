"""Learns vectors of claims and texts: bi-encoders for dense retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.models.encoding import Encoded
from claimscope.models.text_encoder import text_ids
from claimscope.train.stages.examples import Example
from claimscope.train.stages.learners.exporting import export_onnx
from claimscope.train.stages.learners.learner import Learner, Row
from claimscope.train.stages.networks.pretrained import MeanEncoder

TEMPERATURE = 0.05
"""What cosines are divided by (Gao et al., 2021, section 3)."""


class Encoders(nn.Module):
    """An encoder of claims and one of texts, which may be the same."""

    def __init__(self, claims: nn.Module, texts: nn.Module) -> None:
        super().__init__()
        self.encoder = nn.ModuleDict({"claims": claims, "texts": texts})


class DenseLearner(Learner):
    """Wants a claim nearer to its own texts than to all other texts of the batch.

    That is the loss of Karpukhin et al. (2020, section 3.2); the texts that are not relevant are
    its hard negatives. The climate paper has two encoders and the cosine, and says no more.
    """

    POOL = 1

    def __init__(
        self,
        network: Encoders,
        checkpoint: Checkpoint,
        device: str,
        tokenizer: Tokenizer,
        padding: int = 0,
    ) -> None:
        super().__init__(network, checkpoint, device)
        self._tokenizer = tokenizer
        self._padding = padding

    def rows(self, examples: Sequence[Example]) -> list[Row]:
        """Encode claims and texts apart."""
        sides = [
            [
                Encoded(tuple(ids), (0,) * len(ids))
                for ids in text_ids(self._tokenizer, texts, self.checkpoint.max_length)
            ]
            for texts in ([each.claim for each in examples], [each.evidence for each in examples])
        ]
        return [
            Row((claim, text), float(each.target is True), each.claim_id)
            for claim, text, each in zip(*sides, examples, strict=True)
        ]

    def loss(self, rows: Sequence[Row]) -> Tensor:
        """Give the mean loss of the relevant texts of a batch; without any it is zero."""
        claims, texts = (
            functional.normalize(
                encoder(*self.padded([row.texts[side] for row in rows], self._padding)), dim=1
            )
            for side, encoder in enumerate(self._encoders())
        )
        return in_batch_loss(claims, texts, rows)

    def _encoders(self) -> list[nn.Module]:
        parts = self.network.get_submodule("encoder")
        return [parts.get_submodule("claims"), parts.get_submodule("texts")]

    def write(self, folder: Path) -> None:
        """Write the encoder of texts, and that of claims in a folder of its own below."""
        claims, texts = self._encoders()
        export_onnx(texts, self._tokenizer, folder)
        export_onnx(claims, self._tokenizer, folder / "claims")
        write_description(self.checkpoint, folder / "claims")


class PretrainedDenseLearner(DenseLearner):
    """One pretrained encoder for both sides, saved in transformers' layout."""

    def __init__(self, model: Any, checkpoint: Checkpoint, device: str, tokenizer: Any) -> None:
        encoder = MeanEncoder(model)
        super().__init__(
            Encoders(encoder, encoder),
            checkpoint,
            device,
            tokenizer.backend_tokenizer,
            tokenizer.pad_token_id or 0,
        )
        self._saved = (model, tokenizer)

    def write(self, folder: Path) -> None:
        """Write weights, config and tokeniser."""
        for each in self._saved:
            each.save_pretrained(folder)


def in_batch_loss(claims: Tensor, texts: Tensor, rows: Sequence[Row]) -> Tensor:
    """Give the cross-entropy of each relevant text among all texts of the batch.

    Other relevant texts of the same claim are left out, since they are no mistakes.
    """
    relevant = torch.tensor([row.target == 1.0 for row in rows], device=claims.device)
    same = torch.tensor([[a.claim == b.claim for b in rows] for a in rows], device=claims.device)
    scores = claims @ texts.T / TEMPERATURE
    others = same & relevant[None] & ~torch.eye(len(rows), dtype=torch.bool, device=claims.device)
    scores = scores.masked_fill(others, -1e9)
    if not bool(relevant.any()):
        return scores.sum() * 0.0
    own = torch.arange(len(rows), device=claims.device)
    return functional.cross_entropy(scores[relevant], own[relevant])
