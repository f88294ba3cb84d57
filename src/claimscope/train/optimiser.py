"""AdamW with one learning rate for the encoder and one for the heads, warmed up and decayed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import torch
from torch import nn

from claimscope.errors import ConfigurationError

ENCODER = "encoder."
"""How the names of an encoder's weights begin in every network that is trained here."""


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """Settings of the training loop, for every task."""

    steps: int
    """Updates of the weights; the learning rate decays to its floor at the last."""
    learning_rate: float = 1e-4
    head_learning_rate: float = 3e-4
    warm_up: float = 0.05
    """Share of the steps over which the learning rate rises."""
    floor: float = 0.01
    """Share of the learning rate that is always left."""
    weight_decay: float = 0.01
    beta_first: float = 0.9
    beta_second: float = 0.98
    clip: float = 1.0
    """Largest norm of the gradient."""
    accumulate: int = 1
    """Batches an update is made from."""
    seed: int = 0
    checkpoint_minutes: float = 5.0
    log_steps: int = 20
    bfloat16: bool = False
    """Whether products are taken in bfloat16, twice as quick on processors made for it (AMX)."""

    @property
    def weighty(self) -> LoopSettings:
        """The settings that must stay the same when a run is resumed; the precision may differ."""
        return replace(self, checkpoint_minutes=0.0, log_steps=1, bfloat16=False)

    def __post_init__(self) -> None:
        for name in ("steps", "accumulate", "log_steps"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"The training setting {name} must be at least 1.")
        if not 0 <= self.warm_up < 1:
            raise ConfigurationError("The training setting warm_up must lie in 0 to 1.")


def scale(step: int, settings: LoopSettings) -> float:
    """Give the share of the learning rate at a step: it rises linearly, then falls linearly."""
    progress = step / settings.steps
    rising = (step + 1) / max(settings.warm_up * settings.steps, 1)
    falling = (1 - progress) / (1 - settings.warm_up)
    return max(settings.floor, min(1.0, rising, falling))


def cosine(step: int, settings: LoopSettings) -> float:
    """Give the share of the learning rate: it rises linearly, then falls as half a cosine."""
    warm = max(settings.warm_up * settings.steps, 1)
    progress = max(0.0, step - warm) / max(1.0, settings.steps - warm)
    falling = (1 + math.cos(math.pi * min(1.0, progress))) / 2
    return max(settings.floor, min(1.0, (step + 1) / warm) * falling)


def constant(step: int, settings: LoopSettings) -> float:
    """Give the share of the learning rate: it rises linearly, then stays."""
    return min(1.0, (step + 1) / max(settings.warm_up * settings.steps, 1))


def cosine_of_epoch(epoch: int, warm: float, epochs: int) -> float:
    """Give the share of the learning rate in an epoch, as transformers' cosine with warm-up does.

    Published code that steps its scheduler once an epoch learns nothing in the first epoch of a
    warm-up.
    """
    if epoch < warm:
        return epoch / warm
    progress = (epoch - warm) / max(1.0, epochs - warm)
    return (1 + math.cos(math.pi * min(1.0, progress))) / 2


SCHEDULES: Mapping[str, Callable[[int, LoopSettings], float]] = MappingProxyType(
    {"linear": scale, "cosine": cosine, "constant": constant}
)
"""By name."""


def build_optimiser(network: nn.Module, settings: LoopSettings) -> torch.optim.AdamW:
    """Make the optimiser; biases and normalisations, which have one dimension, do not decay."""
    groups: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, parameter in network.named_parameters():
        if parameter.requires_grad:
            key = (name.startswith(ENCODER), parameter.ndim > 1)
            groups.setdefault(key, []).append(parameter)
    return torch.optim.AdamW(
        [
            {
                "params": parameters,
                "lr": settings.learning_rate if encoder else settings.head_learning_rate,
                "weight_decay": settings.weight_decay if matrix else 0.0,
            }
            for (encoder, matrix), parameters in groups.items()
        ],
        betas=(settings.beta_first, settings.beta_second),
        fused=True,
    )
