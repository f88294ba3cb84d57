"""The losses of the two stages."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from claimscope.train.items import IGNORED
from claimscope.train.pairs import Target


def pair_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Cross-entropy; NOT_SUPPORTED wants the mass of the two other classes together."""
    known = torch.log_softmax(logits, dim=-1)
    rest = torch.logsumexp(known[:, Target.REFUTES :], dim=-1, keepdim=True)
    return -torch.cat([known, rest], dim=1).gather(1, targets[:, None]).mean()


@dataclass(frozen=True, slots=True)
class JointWeights:
    """What counts how much in the joint stage."""

    sentence: float = 2.0
    """The loss of the stances beside that of the labels."""
    rationale: float = 3.0
    """A sentence that bears evidence beside one that does not."""
    smoothing: float = 0.05
    """How much of a label is spread over all classes."""


def joint_losses(
    labels: Tensor,
    sentences: Tensor,
    targets: Tensor,
    stances: Tensor,
    weights: Tensor,
    settings: JointWeights,
) -> dict[str, Tensor]:
    """Give the loss of the labels, weighted an item, and of the stances, weighted a sentence."""
    each = functional.cross_entropy(
        labels, targets, reduction="none", label_smoothing=settings.smoothing
    )
    flat = functional.cross_entropy(
        sentences.flatten(0, 1), stances.flatten(), ignore_index=IGNORED, reduction="none"
    )
    known = (stances != IGNORED).float()
    bears = (stances != IGNORED) & (stances != Target.NOT_ENOUGH_INFO)
    factors = known * torch.where(bears, settings.rationale, 1.0)
    stance = (flat.view_as(stances) * factors).sum() / factors.sum().clamp(min=1)
    return {
        "label": (each * weights).sum() / weights.sum(),
        "sentence": settings.sentence * stance,
    }
