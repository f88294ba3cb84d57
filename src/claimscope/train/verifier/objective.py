"""The loss of a batch: of the label of each example, and of what each of its sentences says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from claimscope.models.encoding import Special
from claimscope.train.verifier.abstracts import IGNORED, Example, Target
from claimscope.train.verifier.network import VerifierNetwork, inputs_of


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
