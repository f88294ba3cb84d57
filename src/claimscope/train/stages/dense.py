"""Networks in training that encode claim and text separately: bi-encoders and static vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from claimscope.models.checkpoint import Checkpoint, write_description
from claimscope.models.encoding import Encoded
from claimscope.models.text_encoder import text_ids
from claimscope.train.pretrained import MeanEncoder
from claimscope.train.quantize import round_weights
from claimscope.train.stages.examples import Example
from claimscope.train.stages.learners import Learner, Row, export_onnx

TEMPERATURE = 0.05
"""What cosines are divided by (Gao et al., 2021, section 3)."""
_LEAST = 0.1
"""Weight that even the commonest token begins with."""
_PACE = 20.0
"""How much faster the logarithm of a weight moves than the projection, at one learning rate."""
_MARK = -9.0
"""Logarithm of the weight of marks such as [CLS], which stand in every text."""


class Encoders(nn.Module):
    """An encoder of claims and one of texts, which may be the same."""

    def __init__(self, claims: nn.Module, texts: nn.Module) -> None:
        super().__init__()
        self.encoder = nn.ModuleDict({"claims": claims, "texts": texts})


class DenseLearner(Learner):
    """Trains a claim's vector to be nearer to its own texts than to the others of the batch.

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
        """Encode claims and texts separately."""
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


class StaticEncoder(nn.Module):
    """Sums the vectors of a text's tokens, each with a weight of its own, and projects the sum.

    The vectors are a pretrained encoder's and stay as they are. A token begins with its inverse
    document frequency as weight, in the manner of Arora et al. (2017), and the projection with the
    principal axes of the weighted vectors; both are learnt.
    """

    def __init__(self, vectors: Tensor, weights: Tensor, width: int) -> None:
        super().__init__()
        self.vectors = nn.Parameter(vectors.detach().float().clone(), requires_grad=False)
        self.logarithms = nn.Parameter(weights.log().clamp(min=_MARK) / _PACE)
        self.projection = nn.Parameter(_axes(self.vectors * weights[:, None], width))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Give one vector per text."""
        weights = self._weights()[ids] * mask
        summed = functional.embedding_bag(ids, self.vectors, per_sample_weights=weights, mode="sum")
        return summed @ self.projection

    def table(self) -> Tensor:
        """Fold vectors, weights and projection into one row per token."""
        return (self._weights()[:, None] * self.vectors) @ self.projection

    def _weights(self) -> Tensor:
        return (_PACE * self.logarithms).exp()


class TableEncoder(nn.Module):
    """A static encoder as it is kept: rows of a table, summed."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table.detach().clone(), requires_grad=False)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Give one vector per text."""
        return (functional.embedding(ids, self.table) * mask[..., None]).sum(dim=1)


def inverse_frequencies(texts: Iterable[str], tokenizer: Tokenizer) -> Tensor:
    """Give every token log(texts / texts with the token); special tokens get 0."""
    counts = np.ones(tokenizer.get_vocab_size())
    total = 1
    for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False):
        counts[list(set(encoding.ids))] += 1
        total += 1
    weights = np.maximum(np.log(total / counts), _LEAST)
    marks = [token for token, each in tokenizer.get_added_tokens_decoder().items() if each.special]
    weights[marks] = 0.0
    return torch.from_numpy(weights).float()


def _axes(rows: Tensor, width: int) -> Tensor:
    """Give the principal axes of rows as columns, the widest first."""
    vectors: Tensor = torch.linalg.eigh(rows.T @ rows).eigenvectors
    return vectors.flip(1)[:, :width].contiguous()


class StaticLearner(DenseLearner):
    """One static encoder for claims and texts, stored as a table of eight-bit numbers."""

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
