"""A recipe: which encoder a network starts from, and the stages that train it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.errors import ConfigurationError
from claimscope.models.verifier.settings import VerifierSettings
from claimscope.train.optimiser import LoopSettings


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of training: its data, its token budget and its learning rates."""

    name: str
    data: Mapping[str, int]
    """Examples per pass from each set of pairs, or from `claims/way` (see `recipe.views`).

    A set with fewer examples is repeated; of one with more, each pass takes the next part.
    """
    tokens: int
    """Tokens to train on, padding included; the learning rate falls to zero at the last."""
    learning_rate: float
    head_learning_rate: float = 1e-3
    batch_tokens: int = 2048
    max_length: int = 160
    dropout: float = 0.1
    sentence_weight: float = 1.0
    """Weight of the sentence loss; the label loss has weight 1."""
    bearing_weight: float = 1.0
    """Weight of a sentence that carries evidence; one that does not has weight 1."""
    measure_every: int = 2000
    """Steps between two measurements on held-out pairs."""
    seed: int = 0

    @property
    def loop(self) -> LoopSettings:
        """The settings of the training loop; the number of steps follows from the budget."""
        return LoopSettings(
            steps=max(1, self.tokens // self.batch_tokens),
            learning_rate=self.learning_rate,
            head_learning_rate=self.head_learning_rate,
            warm_up=0.04,
            seed=self.seed,
            checkpoint_minutes=10.0,
            log_steps=50,
        )


@dataclass(frozen=True, slots=True)
class Finish:
    """What the trained weights become: a model's name, how it reads, and how it is rounded."""

    model: str
    reread: int = 6
    reread_weight: float = 0.7
    reread_sentence_weight: float = 0.7
    reread_least: float = 0.1
    first: str = ""
    """Name of a verifier that reads every abstract before this one."""
    beside: float = 0.5
    """Share of this verifier in the label beside the first one."""
    agreement: float | None = None
    least: float | None = None
    firm: float | None = None
    """Strengths that are not taken from the development sets (see `recipe.strength`)."""
    packed: bool = False
    """Whether matrices stay packed when the model is read; for networks that are large."""
    candidates: int = 10
    """Abstracts per claim that thresholds are fitted on, as many as the presets read."""
    share: float = 0.7
    """Least retrieval score of those beside the best one's."""

    @property
    def settings(self) -> VerifierSettings:
        """The settings that are not fitted."""
        return VerifierSettings(
            reread=self.reread,
            reread_weight=self.reread_weight,
            reread_sentence_weight=self.reread_sentence_weight,
            reread_least=self.reread_least,
            first=self.first,
            beside=self.beside,
            agreement=self.agreement,
        )


@dataclass(frozen=True, slots=True)
class Recipe:
    """The whole training of one network."""

    name: str
    encoder: str
    """Folder of the pretrained encoder below the folder of weights."""
    sha256: str
    """Checksum of its `model.safetensors`."""
    stages: tuple[Stage, ...]
    finish: Finish
    layers: int | None = None
    """How many of the encoder's layers are kept, from the first; all by default."""
    train_embeddings: bool = True
    """Whether the embeddings of words are trained, too."""


def read_recipe(path: Path) -> Recipe:
    """Read a recipe from its TOML file."""
    said: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    try:
        stages = tuple(Stage(**stage) for stage in said.pop("stages"))
        finish = Finish(**said.pop("finish"))
        return Recipe(name=path.stem, stages=stages, finish=finish, **said)
    except (KeyError, TypeError) as error:
        raise ConfigurationError(f"The recipe {path} cannot be read ({error}).") from None
