"""The joint verifier as a PyTorch network: its inputs and its loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from claimscope.models.encoding import Special
from claimscope.models.runtime import padded
from claimscope.train.verifier.abstracts import IGNORED, Example, Target

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


@dataclass(frozen=True)
class Objective:
    """Cross-entropy of the label of an example and of the stance of each of its sentences."""

    network: VerifierNetwork
    special: Special
    sentence_weight: float
    """Weight of the sentence loss; the label loss has weight 1."""
    bearing_weight: float
    """Weight of a sentence that carries evidence; one that does not has weight 1."""

    def __call__(self, batch: Sequence[Example]) -> Mapping[str, Tensor]:
        """Give both losses."""
        labels, sentences = run(self.network, batch, self.special)
        most = sentences.shape[1]
        stances = torch.tensor(
            [[*each.stances, *[IGNORED] * (most - len(each.stances))] for each in batch]
        )
        targets = torch.tensor([each.target for each in batch])
        weights = torch.tensor([each.weight for each in batch])
        known = stances != IGNORED
        bearing = torch.where(stances[known] < Target.NOT_ENOUGH_INFO, self.bearing_weight, 1.0)
        return {
            "label": _mean(_entropy(labels, targets), weights),
            "sentence": self.sentence_weight
            * _mean(_entropy(sentences[known], stances[known]), bearing),
        }


def run(
    network: VerifierNetwork, batch: Sequence[Example], special: Special
) -> tuple[Tensor, Tensor]:
    """Give label logits [batch, 3] and stance logits [batch, sentences, 3] in single precision."""
    inputs = inputs_of([example.row for example in batch], special)
    labels, sentences = network(inputs.ids, inputs.segments, inputs.mask, inputs.pooling)
    return labels.float(), sentences.float()


def _mean(values: Tensor, weights: Tensor) -> Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


def _entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Give the cross-entropy of each row; NOT_SUPPORTED is either of the two other classes."""
    known = torch.log_softmax(logits, dim=-1)
    rest = torch.logsumexp(known[:, Target.REFUTES :], dim=-1, keepdim=True)
    return -torch.cat([known, rest], dim=1).gather(1, targets[:, None])[:, 0]
