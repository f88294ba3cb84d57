"""Trains one stage from a configuration: examples, loop, early stopping, model and card."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
from torch import nn

from claimscope.errors import ConfigurationError, MissingDataError
from claimscope.train.batches import Round, Turn
from claimscope.train.cards import StageFacts, stage_card
from claimscope.train.claims import Claims, open_claims
from claimscope.train.loop import CHECKPOINT, Loop
from claimscope.train.optimiser import LoopSettings
from claimscope.train.pretrained import load_weights
from claimscope.train.snapshot import write_tensors
from claimscope.train.stages.config import StageConfig
from claimscope.train.stages.examples import Example, Work, checksum, divided, oversampled
from claimscope.train.stages.learners import Learner, Row
from claimscope.train.stages.networks import open_learner

WORK = "training"
"""Where checkpoints and logs lie in the folder of a model."""
ABOUT = "about.json"
RECORD = "held_out.jsonl"
BEST = "best.safetensors"

Report = Callable[[str, int, int], None]
"""Told the stage, and how many of how many steps of it are done."""


@dataclass
class StageTraining:
    """Runs a configuration in a folder; when run again, it continues where it stopped."""

    config: StageConfig
    folder: Path
    report: Report | None = None
    replaced: str = ""
    """What was not on this machine, so that another split was learnt from."""
    shared: Path | None = None
    """Where builders keep what is dear to compute; beside the checkpoints if None."""

    def run(self) -> bool:
        """Train, write the model, and say whether all is done or somebody asked to stop."""
        config = self.config
        if config.threads is not None:
            torch.set_num_threads(config.threads)
        if self._is_done():
            return True
        data = self._data()
        work = Work(random.Random(config.loop.seed), self.shared or self._work)
        if self.report is not None:
            work = replace(work, progress=partial(self.report, f"{config.name}: examples"))
        examples = config.builder.build(data, work)
        learnt, held = divided(examples, data.claims, config.folds, config.fold)
        if config.held_split:
            held = self._held(work)
            examples = [*examples, *held]
        learner = open_learner(config, partial(_texts, data, learnt))
        repeated = oversampled(learnt, config.oversample, config.labels)
        rows, measured = learner.rows(repeated), learner.rows(held)
        if not self._learn(learner, rows, measured, checksum(examples)):
            return False
        loss = mean_loss(learner, measured, config.batch) if measured else None
        learner.save(self.folder)
        facts = StageFacts(config, learnt, held, loss, self.replaced)
        (self.folder / "README.md").write_text(stage_card(facts, self.folder), encoding="utf-8")
        (self._work / ABOUT).write_text(self._description(), encoding="utf-8")
        for name in (CHECKPOINT, BEST):
            (self._work / name).unlink(missing_ok=True)
        return True

    def _data(self) -> Claims:
        """Open the split to learn from, or the one to take instead, which the card then names."""
        config = self.config
        try:
            return open_claims(config.data, config.split)
        except MissingDataError:
            if not config.instead:
                raise
            self.replaced = f"{config.data}, split {config.split}"
            return open_claims(config.data, config.instead)

    def _held(self, work: Work) -> list[Example]:
        """Make the examples of the split that is held out."""
        config = self.config
        apart = replace(work, folder=work.folder / config.held_split)
        return config.builder.build(open_claims(config.data, config.held_split), apart)

    @property
    def _work(self) -> Path:
        return self.folder / WORK

    def _learn(self, learner: Learner, rows: list[Row], measured: list[Row], examples: str) -> bool:
        config = self.config
        if not rows:
            raise ConfigurationError(
                f"There is nothing to train on in {config.data}; choose other data."
            )
        settings = loop_settings(config, len(rows))
        feed = partial(epoch, rows, config.batch, learner.POOL, config.loop.seed)
        about = json.dumps([self._description(), examples])
        watch = self._watch(learner, measured, settings, len(rows))
        loop: Loop[list[Row]] = Loop(
            learner.network,
            lambda batch: {"loss": learner.loss(batch)},
            feed,
            settings,
            self._work,
            about,
            partial(self.report, config.name) if self.report else None,
            watch,
            config.rate,
        )
        if not loop.run():
            return False
        if watch is not None:
            watch.use_best()
        return True

    def _watch(
        self, learner: Learner, measured: list[Row], settings: LoopSettings, rows: int
    ) -> EarlyStopping | None:
        config = self.config
        if not config.patience and not config.every:
            return None
        if not measured:
            raise ConfigurationError(
                "No claim is held out, so there is nothing to choose the best weights by; choose "
                "another fold, or more data."
            )
        every = config.every or max(1, rows // (config.batch * settings.accumulate))
        measure = partial(mean_loss, learner, measured, config.batch)
        patience = config.patience or settings.steps
        return EarlyStopping(learner.network, measure, self._work, every, patience)

    def _description(self) -> str:
        return json.dumps(self.config.described(), sort_keys=True, default=str)

    def _is_done(self) -> bool:
        path = self._work / ABOUT
        if not path.is_file():
            return False
        if path.read_text("utf-8") != self._description():
            raise ConfigurationError(
                f"{self.folder} holds a model that was trained with other settings; choose another "
                "folder, or delete that one."
            )
        return True


def loop_settings(config: StageConfig, rows: int) -> LoopSettings:
    """Give the loop's settings; steps that are not given follow from the epochs."""
    accumulate = config.effective_batch // config.batch
    batches = math.ceil(rows / config.batch)
    steps = math.ceil(config.epochs * batches / accumulate) if config.epochs else config.loop.steps
    return replace(config.loop, steps=steps, accumulate=accumulate)


def epoch(rows: Sequence[Row], size: int, pool: int, seed: int, turn: Turn) -> Round[list[Row]]:
    """Make batches of one size from all rows; a batch has rows of similar length."""
    generator = random.Random(f"{seed} {turn.number}")
    order = list(rows)
    generator.shuffle(order)
    batches = []
    for start in range(0, len(order), size * pool):
        some = sorted(order[start : start + size * pool], key=lambda row: row.length)
        batches += [some[first : first + size] for first in range(0, len(some), size)]
    generator.shuffle(batches)
    return Round(batches)


@torch.inference_mode()
def mean_loss(learner: Learner, rows: Sequence[Row], batch: int) -> float:
    """Give the mean loss of rows."""
    learner.network.eval()
    ordered = sorted(rows, key=lambda row: row.length) if learner.POOL > 1 else list(rows)
    parts = [ordered[start : start + batch] for start in range(0, len(ordered), batch)]
    return sum(learner.loss(part).item() * len(part) for part in parts) / len(rows)


def _texts(data: Claims, learnt: Sequence[Example]) -> Iterator[str]:
    """Give the texts of a vocabulary: claims that are learnt from, and all documents."""
    yield from dict.fromkeys(each.claim for each in learnt)
    yield from (document.text for document in data.documents.values())


@dataclass
class EarlyStopping:
    """Ends training after a number of epochs without a lower loss.

    What was measured is on the disk, so a resumed training ends where an uninterrupted one would.
    """

    network: nn.Module
    measure: Callable[[], float]
    folder: Path
    every: int
    """Steps from one measurement to the next."""
    patience: int

    def __call__(self, step: int) -> bool:
        """Measure if it is time to, and say whether to end."""
        losses = self._until(step)
        if step and step % self.every == 0 and step not in losses:
            losses[step] = self._measured(step, losses)
        best = min(losses, key=lambda each: (losses[each], each), default=None)
        return best is not None and sum(each > best for each in losses) >= self.patience

    def use_best(self) -> None:
        """Load the weights with the lowest loss."""
        if (self.folder / BEST).is_file():
            load_weights(self.network, self.folder / BEST)

    def _measured(self, step: int, before: dict[int, float]) -> float:
        training = self.network.training
        self.network.eval()
        loss = self.measure()
        self.network.train(training)
        if all(loss < earlier for earlier in before.values()):
            write_tensors(self.network.state_dict(), self.folder / BEST, {"step": str(step)})
        lines = [{"step": each, "loss": value} for each, value in {**before, step: loss}.items()]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.folder / RECORD).write_text(text, encoding="utf-8")
        return loss

    def _until(self, step: int) -> dict[int, float]:
        """Read what was measured up to a step; what lies after it was measured in a lost run."""
        path = self.folder / RECORD
        if not path.is_file():
            return {}
        lines = map(json.loads, path.read_text("utf-8").splitlines())
        return {line["step"]: line["loss"] for line in lines if line["step"] <= step}
