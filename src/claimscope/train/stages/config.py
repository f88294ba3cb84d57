"""The configuration of a stage's training: network, data and duration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.train.optimiser import SCHEDULES, LoopSettings, cosine_of_epoch
from claimscope.train.stages.builders import Abstracts, Candidates, Labels, Sentences, Windows
from claimscope.train.stages.combo import Combo
from claimscope.train.stages.examples import Builder, Verdicts
from claimscope.train.stages.scratch import CELLS, Scratch
from claimscope.train.tables import read_table, settings_of

BUILDERS: Mapping[str, type[Builder]] = MappingProxyType(
    {
        "candidates": Candidates,
        "abstracts": Abstracts,
        "windows": Windows,
        "sentences": Sentences,
        "labels": Labels,
        "combo": Combo,
        "verdicts": Verdicts,
    }
)
"""By the names configurations give them."""
FROM_SCRATCH = frozenset({"transformer", "two-encoders", *CELLS})
"""Networks that start from nothing."""

_LATER = ("schedule_epochs", "every", "held_split", "instead")
"""Settings that a description leaves out where they are not set: it stays that of older folders."""
_SHAPES = {
    "prompt": Shape.PROMPT,
    "bi-encoder": Shape.ENCODER,
    "static": Shape.ENCODER,
    "two-encoders": Shape.ENCODER,
}


@dataclass(frozen=True, slots=True)
class StageConfig:
    """The training of one stage of a paper's system."""

    name: str
    network: str
    """classifier, prompt, bi-encoder, static, transformer, two-encoders, rnn, lstm or gru."""
    builder: Builder
    """From the table [examples], whose key `builder` names it."""
    loop: LoopSettings
    """From the table [loop]; without steps there they follow from the epochs."""
    paper: str = ""
    encoder: str = ""
    """Folder or name of the pretrained network; none for networks that start from nothing."""
    scratch: Scratch = field(default_factory=Scratch)
    labels: tuple[str, ...] = ()
    """What the outputs are called, or a prompt's target words; none for one output, a score."""
    template: str = ""
    evidence_first: bool = True
    max_length: int = 512
    loss: str = ""
    """cross-entropy, binary or absolute; by the number of outputs if empty."""
    data: str = "scifact"
    split: str = "train"
    instead: str = ""
    """The split that is learnt from where the other one is not on this machine."""
    oversample: Mapping[str, int] = field(default_factory=dict)
    """How many times the examples of an output are taken."""
    epochs: int = 0
    batch: int = 16
    """Examples that go through the network together."""
    effective_batch: int = 16
    """Examples that an update is made from."""
    schedule: str = "linear"
    schedule_epochs: int = 0
    """Over how many epochs a cosine falls that changes once an epoch, though fewer may be trained;
    0 changes the rate at every step."""
    folds: int = 5
    fold: int | None = None
    """The fold of claims that is held out; none if all are learnt from."""
    patience: int = 0
    """Epochs without a lower held-out loss after which training ends; the best weights are kept."""
    every: int = 0
    """Steps from one held-out loss to the next, of which the lowest gives the weights; an epoch if
    0."""
    held_split: str = ""
    """The split that is held out, in place of a fold of the split that is learnt from."""
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.schedule not in SCHEDULES:
            raise UnknownNameError("schedule", self.schedule, SCHEDULES)
        if self.schedule_epochs and (self.schedule != "cosine" or not self.epochs):
            raise ConfigurationError(
                "schedule_epochs needs the schedule 'cosine' and a number of epochs; set it to 0 "
                "for another schedule."
            )
        if self.batch < 1 or self.effective_batch % self.batch:
            raise ConfigurationError(
                f"The effective batch {self.effective_batch} must be a multiple of the batch "
                f"{self.batch}."
            )
        if bool(self.encoder) == (self.network in FROM_SCRATCH):
            advice = "leave it out" if self.encoder else "name one"
            raise ConfigurationError(
                f"The network {self.network!r} and the encoder {self.encoder!r} do not go "
                f"together; {advice}."
            )
        if (self.patience or self.every) and self.fold is None and not self.held_split:
            raise ConfigurationError(
                "Choosing the best weights needs held-out claims; set a fold or a held_split."
            )
        if not self.loss:
            default = "cross-entropy" if len(self.labels) > 1 else "binary"
            object.__setattr__(self, "loss", default)
        if (self.loss == "cross-entropy") != (len(self.labels) > 1):
            raise ConfigurationError(
                f"The loss {self.loss!r} does not fit {max(1, len(self.labels))} outputs; "
                "cross-entropy is for several, binary and absolute are for one."
            )

    @property
    def checkpoint(self) -> Checkpoint:
        """The description in the finished model's folder."""
        shape = _SHAPES.get(self.network, Shape.PAIR)
        prompt = shape is Shape.PROMPT
        return Checkpoint(
            self.name,
            shape,
            evidence_first=self.evidence_first,
            max_length=self.max_length,
            labels=() if prompt else self.labels,
            template=self.template,
            targets=self.labels if prompt else (),
        )

    @property
    def rate(self) -> Callable[[int, LoopSettings], float]:
        """Give the share of the learning rate at a step."""
        if not self.schedule_epochs:
            return SCHEDULES[self.schedule]

        def of_epoch(step: int, settings: LoopSettings) -> float:
            warm = settings.warm_up * self.schedule_epochs
            return cosine_of_epoch(step * self.epochs // settings.steps, warm, self.schedule_epochs)

        return of_epoch

    def described(self) -> dict[str, Any]:
        """Give all that the weights depend on as plain values."""
        said = asdict(self)
        for name in ("paper", "threads", *(name for name in _LATER if not said[name])):
            del said[name]
        if not said["scratch"]["head_width"]:
            del said["scratch"]["head_width"]
        return {**said, "builder": [type(self.builder).__name__, said["builder"]]}


def parse_stage(table: Mapping[str, Any], where: str) -> StageConfig:
    """Make a configuration from a TOML table."""
    given = dict(table)
    examples = dict(_table(given.pop("examples", {}), f"{where}: examples"))
    name = str(examples.pop("builder", ""))
    if name not in BUILDERS:
        raise UnknownNameError("builder of examples", name, BUILDERS)
    given["builder"] = settings_of(examples, BUILDERS[name], f"{where}: examples")
    loop = dict(_table(given.pop("loop", {}), f"{where}: loop"))
    if "steps" not in loop and not given.get("epochs"):
        raise ConfigurationError(f"{where} says neither epochs nor loop.steps; add one of them.")
    if "steps" in loop and given.get("epochs"):
        raise ConfigurationError(f"{where} says both epochs and loop.steps; leave one out.")
    given["loop"] = settings_of({"steps": 1, **loop}, LoopSettings, f"{where}: loop")
    return settings_of(given, StageConfig, where, built=("builder", "loop"))


def read_stage(path: Path, changes: Mapping[str, Any]) -> StageConfig:
    """Read a TOML file; changes, given as nested tables, override it."""
    return parse_stage(merged(read_table(path), changes), path.name)


def merged(table: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge changes into a table, nested tables included."""
    result = dict(table)
    for key, value in changes.items():
        old = result.get(key)
        both = isinstance(old, Mapping) and isinstance(value, Mapping)
        result[key] = merged(old, value) if both else value  # type: ignore[arg-type]
    return result


def _table(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigurationError(f"{where} must be a table, not {value!r}.")
    return value
