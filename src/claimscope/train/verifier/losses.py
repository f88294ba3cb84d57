"""The losses of the two stages."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from claimscope.train.verifier.items import IGNORED
from claimscope.train.verifier.pairs import Target


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
    """Give the loss of the labels, weighted an item, and of the stances, weighted a sentence.

    DECIDED wants the mass of support and refutation together.
    """
    each = _entropies(labels, targets, settings.smoothing)
    flat = _entropies(sentences.flatten(0, 1), stances.flatten(), 0.0)
    known = (stances != IGNORED).float()
    bears = (stances != IGNORED) & (stances != Target.NOT_ENOUGH_INFO)
    factors = known * torch.where(bears, settings.rationale, 1.0)
    stance = (flat.view_as(stances) * factors).sum() / factors.sum().clamp(min=1)
    return {
        "label": (each * weights).sum() / weights.sum(),
        "sentence": settings.sentence * stance,
    }


def _entropies(logits: Tensor, targets: Tensor, smoothing: float) -> Tensor:
    """Give the cross-entropy of each row; that of an ignored one counts for nothing elsewhere."""
    chances = torch.log_softmax(logits, dim=-1)
    decided = torch.logsumexp(chances[:, : Target.NOT_ENOUGH_INFO], dim=-1)
    first = chances.gather(1, targets.clamp(0, Target.NOT_ENOUGH_INFO)[:, None])[:, 0]
    wanted = torch.where(targets == Target.DECIDED, decided, first)
    nothing = chances[:, Target.NOT_ENOUGH_INFO]
    spread = torch.where(
        targets == Target.DECIDED, (2 * decided + nothing) / 3, chances.mean(dim=-1)
    )
    return -(1 - smoothing) * wanted - smoothing * spread


def taught_losses(
    labels: Tensor,
    sentences: Tensor,
    taught: Tensor,
    known: Tensor,
    temperature: float,
    settings: JointWeights,
) -> dict[str, Tensor]:
    """Give how far labels and stances are from a teacher's [batch, 1 + sentences, 3].

    Both are softened by a temperature and the divergence is multiplied by its square, which keeps
    the gradients as large as those of the labels (Hinton et al., 2015, section 2). `known` says
    which rows the teacher judged. A sentence counts the more, the more the teacher takes it for
    evidence, as one with a label does.
    """
    said = torch.cat([labels[:, None], sentences], dim=1)
    wanted = torch.softmax(taught / temperature, dim=-1)
    found = torch.log_softmax(said / temperature, dim=-1)
    each = functional.kl_div(found, wanted, reduction="none").sum(dim=-1) * temperature**2
    bears = 1 - torch.softmax(taught[:, 1:], dim=-1)[..., Target.NOT_ENOUGH_INFO]
    factors = known[:, 1:].float() * (1 + (settings.rationale - 1) * bears)
    stance = (each[:, 1:] * factors).sum() / factors.sum().clamp(min=1)
    judged = known[:, 0].float()
    label = (each[:, 0] * judged).sum() / judged.sum().clamp(min=1)
    return {"taught_label": label, "taught_sentence": settings.sentence * stance}
