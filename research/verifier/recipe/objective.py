"""The loss of a batch, and accuracy on held-out examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import torch
from torch import Tensor

from claimscope.models.encoding import Special
from claimscope.train.verifier.items import IGNORED
from claimscope.train.verifier.layout import inputs_of
from claimscope.train.verifier.network import VerifierNetwork
from claimscope.train.verifier.pairs import Target
from recipe.feed import Example

_BATCH = 64


@dataclass(frozen=True)
class Objective:
    """Cross-entropy of the label of an example and of the stance of each of its sentences."""

    network: VerifierNetwork
    special: Special
    sentence_weight: float
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


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy in per cent, by the label head and by the sentence head."""

    pairs: int
    three_way: float
    three_way_sentence: float
    two_way: float
    """Support against refutation alone, over the pairs that have either label."""
    two_way_sentence: float

    def to_dict(self) -> dict[str, float]:
        """Give the figures for the log, rounded."""
        return {name: round(value, 1) for name, value in asdict(self).items()}


@torch.inference_mode()
def measure(network: VerifierNetwork, examples: Sequence[Example], special: Special) -> Accuracy:
    """Measure a network on examples of one sentence."""
    training = network.training
    network.eval()
    chosen = sorted((examples[i] for i in range(len(examples))), key=lambda each: each.length)
    parts = [chosen[start : start + _BATCH] for start in range(0, len(chosen), _BATCH)]
    results = [run(network, part, special) for part in parts]
    network.train(training)
    heads = [torch.cat([r[0] for r in results]), torch.cat([r[1][:, 0] for r in results])]
    targets = torch.tensor([each.target for each in chosen])
    three = [_share(logits.argmax(dim=-1) == targets) for logits in heads]
    decided = targets < Target.NOT_ENOUGH_INFO
    two = [_share(logits[decided, :2].argmax(dim=-1) == targets[decided]) for logits in heads]
    return Accuracy(len(chosen), three[0], three[1], two[0], two[1])


def _share(right: Tensor) -> float:
    return 100 * right.float().mean().item()
