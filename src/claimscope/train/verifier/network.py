"""The joint verifier as a PyTorch network, and its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from claimscope.models.encoding import Special
from claimscope.models.runtime import padded

CLASSES = ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")
"""The network's outputs, in their order."""


class VerifierNetwork(nn.Module):
    """An encoder with a label head on its first state and a stance head on each sentence.

    The stance head reads the mean of a sentence's token states beside the first state.
    """

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        width = encoder.config.hidden_size
        self.encoder = encoder
        # MPNet's kind tells the claim from the abstract by the separator alone.
        self._has_segments = hasattr(encoder.config, "type_vocab_size")
        self.pool = nn.Linear(width, width)
        self.label = nn.Linear(width, len(CLASSES))
        self.sentence_pool = nn.Linear(2 * width, width)
        self.sentence = nn.Linear(width, len(CLASSES))

    def forward(
        self, ids: Tensor, segments: Tensor, mask: Tensor, pooling: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Give label logits [batch, 3] and stance logits [batch, sentences, 3]."""
        parts = {"token_type_ids": segments} if self._has_segments else {}
        states = self.encoder(input_ids=ids, attention_mask=mask, **parts).last_hidden_state
        first = states[:, 0]
        means = pooling @ states
        both = torch.cat([means, first[:, None].expand_as(means)], dim=-1)
        label = self.label(torch.tanh(self.pool(first)))
        return label, self.sentence(torch.tanh(self.sentence_pool(both)))


@dataclass(frozen=True, slots=True)
class Row:
    """One input: its tokens, where the claim's part ends, and where each sentence stands."""

    ids: tuple[int, ...]
    head: int
    spans: tuple[tuple[int, int], ...] = ()


def row_of_abstract(
    claim: Sequence[int], title: Sequence[int], sentences: Sequence[Sequence[int]], special: Special
) -> Row:
    """Lay out `[CLS] claim [SEP] title [SEP] sentence [SEP] …`, as the finished verifier does."""
    head = (special.start, *claim, special.separator)
    ids = [*head, *title, special.separator]
    spans = []
    for sentence in sentences:
        begin = len(ids)
        ids += [*sentence, special.separator]
        spans.append((begin, len(ids)))
    return Row(tuple(ids), len(head), tuple(spans))


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the network is given; `pooling` averages the tokens of each sentence."""

    ids: Tensor
    segments: Tensor
    mask: Tensor
    pooling: Tensor


def inputs_of(rows: Sequence[Row], special: Special) -> Inputs:
    """Pad rows to one batch."""
    segments = [[0] * row.head + [1] * (len(row.ids) - row.head) for row in rows]
    most = max((len(row.spans) for row in rows), default=0)
    ids = padded([row.ids for row in rows], special.padding)
    pooling = np.zeros((len(rows), most, ids.shape[1]), dtype=np.float32)
    for place, row in enumerate(rows):
        for number, (start, end) in enumerate(row.spans):
            pooling[place, number, start:end] = 1.0 / (end - start)
    return Inputs(
        torch.from_numpy(ids),
        torch.from_numpy(padded(segments, 0)),
        torch.from_numpy(padded([[1] * len(row.ids) for row in rows], 0)),
        torch.from_numpy(pooling),
    )
