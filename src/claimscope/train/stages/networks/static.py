"""Static vectors: a text is the weighted sum of its tokens' vectors, each as it stands alone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

_LEAST = 0.1
"""Weight that even the commonest token begins with."""
_PACE = 20.0
"""How much faster the logarithm of a weight moves than the projection, at one learning rate."""
_MARK = -9.0
"""Logarithm of the weight of marks such as [CLS], which stand in every text."""


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
        """Give one vector a text."""
        weights = self._weights()[ids] * mask
        summed = functional.embedding_bag(ids, self.vectors, per_sample_weights=weights, mode="sum")
        return summed @ self.projection

    def table(self) -> Tensor:
        """Fold vectors, weights and projection into one row a token."""
        return (self._weights()[:, None] * self.vectors) @ self.projection

    def _weights(self) -> Tensor:
        return (_PACE * self.logarithms).exp()


class TableEncoder(nn.Module):
    """A static encoder as it is kept: rows of a table, summed."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = nn.Parameter(table.detach().clone(), requires_grad=False)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Give one vector a text."""
        return (functional.embedding(ids, self.table) * mask[..., None]).sum(dim=1)


def inverse_frequencies(texts: Iterable[str], tokenizer: Tokenizer) -> Tensor:
    """Give every token log(texts / texts it stands in), but for marks, which say nothing."""
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
