"""The training loop every trainer uses: steps, checkpoints, a log, and a clean stop."""

from __future__ import annotations

import json
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic

import torch
from torch import Tensor, nn

from claimscope.errors import ConfigurationError
from claimscope.train.batches import Batch, Feed, Turn
from claimscope.train.optimiser import LoopSettings, build_optimiser, scale
from claimscope.train.snapshot import Place, restore, save

CHECKPOINT = "training.safetensors"
LOG = "log.jsonl"
_SIGNALS = (signal.SIGTERM, signal.SIGINT)

Objective = Callable[[Batch], Mapping[str, Tensor]]
"""Gives the named parts of a batch's loss; their sum is minimised."""
Progress = Callable[[int, int], None]
"""Told how many of how many steps are done."""
Watch = Callable[[int], bool]
"""Told how many steps are done, after each and when a run is resumed; says whether to end."""
Schedule = Callable[[int, LoopSettings], float]
"""Gives the share of the learning rate at a step; it belongs to what `about` has to say."""


@dataclass
class Loop(Generic[Batch]):
    """Trains a network in a folder; when run there again, it continues where it stopped.

    A run that was stopped and resumed gives the same weights as one that was not.
    """

    network: nn.Module
    objective: Objective[Batch]
    feed: Feed[Batch]
    settings: LoopSettings
    folder: Path
    about: str = ""
    """What else the run depends on; a checkpoint of another description is refused."""
    progress: Progress | None = None
    watch: Watch | None = None
    schedule: Schedule = scale

    def run(self) -> bool:
        """Train to the last step or until asked to stop; say whether training is at its end."""
        torch.manual_seed(self.settings.seed)
        self._optimiser = build_optimiser(self.network, self.settings)
        self._rates = [group["lr"] for group in self._optimiser.param_groups]
        self._place = self._resumed()
        self._sums: dict[str, float] = {}
        self._saved = time.monotonic()
        stream = self._stream()
        self.network.train()
        ended = self._ended()
        with stopping() as stop:
            while not ended and not stop.asked:
                self._update(stream)
                self._report()
                ended = self._ended()
        self._save()
        return ended

    def _ended(self) -> bool:
        """Say whether the last step is done, or the one that watches has seen enough."""
        watched = self.watch is not None and self.watch(self._place.step)
        return watched or self._place.step >= self.settings.steps

    def _resumed(self) -> Place:
        path = self.folder / CHECKPOINT
        if not path.is_file():
            self._log(event="started", settings=asdict(self.settings))
            return Place()
        place = restore(path, self.network, self._optimiser, self._description())
        self._log(event="resumed", step=place.step)
        return place

    def _stream(self) -> Iterator[tuple[Batch, Turn, int]]:
        """Give batches without end, each with the place after it."""
        turn, used = self._place.turn, self._place.position
        while True:
            drawn = self.feed(turn)
            if not drawn.batches:
                raise ConfigurationError(
                    "There is nothing to train on; check the data that the settings name."
                )
            for number in range(used, len(drawn.batches)):
                yield drawn.batches[number], turn, number + 1
            progress = self._place.step / self.settings.steps
            turn, used = Turn(turn.number + 1, progress, drawn.drawn), 0

    def _update(self, stream: Iterator[tuple[Batch, Turn, int]]) -> None:
        settings = self.settings
        factor = self.schedule(self._place.step, settings)
        for group, rate in zip(self._optimiser.param_groups, self._rates, strict=True):
            group["lr"] = rate * factor
        self._optimiser.zero_grad(set_to_none=True)
        for _ in range(settings.accumulate):
            batch, turn, position = next(stream)
            with torch.autocast("cpu", torch.bfloat16, enabled=settings.bfloat16):
                parts = self.objective(batch)
            total = torch.stack(list(parts.values())).sum() / settings.accumulate
            torch.autograd.backward(total)
            self._note(parts)
        trained = [weight for group in self._optimiser.param_groups for weight in group["params"]]
        nn.utils.clip_grad_norm_(trained, settings.clip)
        self._optimiser.step()
        self._place = Place(self._place.step + 1, turn, position)

    def _note(self, parts: Mapping[str, Tensor]) -> None:
        for name, value in parts.items():
            number = value.item()
            if not math.isfinite(number):
                raise ConfigurationError(
                    f"The loss {name!r} is {number} at step {self._place.step}; lower the "
                    "learning rate and train from the last checkpoint."
                )
            self._sums[name] = self._sums.get(name, 0.0) + number / self.settings.accumulate

    def _report(self) -> None:
        step, settings = self._place.step, self.settings
        if step % settings.log_steps == 0:
            means = {
                name: round(value / settings.log_steps, 5) for name, value in self._sums.items()
            }
            self._log(step=step, round=self._place.turn.number, **means)
            self._sums = {}
        if time.monotonic() - self._saved >= 60 * settings.checkpoint_minutes:
            self._save()
        if self.progress is not None:
            self.progress(step, settings.steps)

    def _save(self) -> None:
        path = self.folder / CHECKPOINT
        save(path, self.network, self._optimiser, self._place, self._description())
        self._saved = time.monotonic()

    def _description(self) -> str:
        said = {"about": self.about, "loop": asdict(self.settings.weighty)}
        return json.dumps(said, sort_keys=True)

    def _log(self, **values: Any) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        line = json.dumps({"time": time.strftime("%Y-%m-%dT%H:%M:%S"), **values})
        with (self.folder / LOG).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


@dataclass
class Stop:
    """Whether somebody has asked to stop."""

    asked: bool = False


@contextmanager
def stopping() -> Iterator[Stop]:
    """Take Ctrl-C as a request to stop after the current step; a second one stops at once."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # Only the main thread may handle signals.
        return

    def ask(number: int, _: Any) -> None:
        if stop.asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.asked = True

    before = {number: signal.signal(number, ask) for number in _SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
