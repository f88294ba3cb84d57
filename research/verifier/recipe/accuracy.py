"""Accuracy on held-out examples of one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import torch
from torch import Tensor

from claimscope.models.encoding import Special
from claimscope.train.verifier.abstracts import Example, Target
from claimscope.train.verifier.network import VerifierNetwork
from claimscope.train.verifier.objective import run

_BATCH = 64
_MOST = 400
"""Examples that a set is measured on; of a larger one, every second, third and so on is taken."""


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
def measure(
    network: VerifierNetwork, examples: Sequence[Example], special: Special, bfloat16: bool = False
) -> Accuracy:
    """Measure a network on examples of one sentence."""
    training = network.training
    network.eval()
    places = range(0, len(examples), 1 + (len(examples) - 1) // _MOST)
    chosen = sorted((examples[place] for place in places), key=lambda each: each.length)
    parts = [chosen[start : start + _BATCH] for start in range(0, len(chosen), _BATCH)]
    with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
        results = [run(network, part, special) for part in parts]
    network.train(training)
    heads = [torch.cat([r[0] for r in results]), torch.cat([r[1][:, 0] for r in results])]
    targets = torch.tensor([each.target for each in chosen])
    three = [_share(is_right(logits.argmax(dim=-1), targets)) for logits in heads]
    decided = targets < Target.NOT_ENOUGH_INFO
    two = [_share(logits[decided, :2].argmax(dim=-1) == targets[decided]) for logits in heads]
    return Accuracy(len(chosen), three[0], three[1], two[0], two[1])


def is_right(found: Tensor, targets: Tensor) -> Tensor:
    """Compare classes; where a set says NOT_SUPPORTED, all but SUPPORTS are right."""
    open_target = targets == Target.NOT_SUPPORTED
    return torch.where(open_target, found != Target.SUPPORTS, found == targets)


def _share(right: Tensor) -> float:
    return 100 * right.float().mean().item()
