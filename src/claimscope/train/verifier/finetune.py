"""Continues a shipped verifier on labelled claims, and measures it before and after."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import torch
from torch import nn

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError
from claimscope.library.location import open_library, resolve_location
from claimscope.models.catalogue import VERIFIER
from claimscope.models.checkpoint import Shape
from claimscope.models.encoding import Special
from claimscope.models.locate import Found, Locator
from claimscope.models.verifier.onnx_joint import MODEL, STANCE
from claimscope.models.verifier.settings import read_verifier, write_verifier
from claimscope.train.batches import Feed, Round, Turn, batches_by_length
from claimscope.train.claims import (
    Claims,
    claims_of_library,
    fold_of,
    groups_of,
    open_claims,
)
from claimscope.train.corrections import ENDINGS
from claimscope.train.loop import CHECKPOINT, Loop
from claimscope.train.loop import Objective as Losses
from claimscope.train.optimiser import LoopSettings
from claimscope.train.pretrained import read_tokenizer
from claimscope.train.quantize import share_weights
from claimscope.train.verifier.abstracts import Example, ExampleMaker, View
from claimscope.train.verifier.config import VerifierConfig
from claimscope.train.verifier.export import export_folder, read_network
from claimscope.train.verifier.multivers import MultiversLearner, WholeAbstract
from claimscope.train.verifier.network import VerifierNetwork
from claimscope.train.verifier.objective import Objective
from claimscope.train.verifier.report import REPORT, Report, measure, write_report
from claimscope.train.verifier.views import evidence_examples, stance_examples, views_of

WORK = "training"
"""Where checkpoints and logs lie in the folder of a model."""
_SENTENCES, _BEARING = 2.0, 3.0
"""Weights of the sentence loss, and in it of the sentences that carry evidence."""

Item = TypeVar("Item", Example, WholeAbstract)

Progress = Callable[[str, int, int], None]
"""Told the part of the training, and how many of how many steps of it are done."""


@dataclass
class VerifierTraining:
    """Runs a configuration in a folder; when run again, it continues where it stopped."""

    config: VerifierConfig
    folder: Path
    progress: Progress | None = None

    def run(self) -> Report | None:
        """Train, write the model and give the report; None if somebody asked to stop."""
        config = self.config
        if config.threads is not None:
            torch.set_num_threads(config.threads)
        if (self.folder / REPORT).is_file():
            return self._finished()
        found = _start(config.start)
        data = _read(config)
        learnt, held_out = _divided(data, config.folds)
        views = views_of(learnt, data, config)
        measured = replace(data, claims=held_out)
        if not found.is_onnx:
            return self._run_multivers(found, views, measured, len(learnt))
        maker = ExampleMaker(read_tokenizer(found.folder), found.checkpoint.max_length)
        networks, special = _networks(found), Special.of(read_tokenizer(found.folder))
        for name, network in networks.items():
            stances = name == STANCE
            examples = (
                stance_examples(views, maker)
                if stances
                else evidence_examples(views, maker, config.seed)
            )
            objective = Objective(network, special, _SENTENCES, _BEARING)
            if not self._learn(name, network, objective, examples):
                return None
        return self._finish(found, networks, measured, len(learnt))

    def _run_multivers(
        self, found: Found, views: Sequence[View], held_out: Claims, learnt: int
    ) -> Report | None:
        """Train MultiVerS from a verifier of its form, or from an encoder."""
        learner = MultiversLearner(found, self.config.seed)
        if not self._learn(MODEL, learner.network, learner.losses, learner.examples(views)):
            return None
        learner.save(self.folder)
        work = self.folder / WORK
        start = found.folder
        if found.checkpoint.shape is not Shape.JOINT:  # Its heads are those drawn at the start.
            start = MultiversLearner(found, self.config.seed).save(work / "start")
        before, after = measure(str(start), held_out), measure(str(self.folder), held_out)
        write_verifier(replace(read_verifier(self.folder), risk=after.risk), self.folder)
        report = Report(self.config.data, self._description(), learnt, before.score, after.score)
        shutil.rmtree(work / "start", ignore_errors=True)
        for path in work.glob(f"*/{CHECKPOINT}"):
            path.unlink()
        write_report(report, asdict(self.config), self.folder)
        return report

    def _learn(
        self, name: str, network: nn.Module, objective: Losses[list[Item]], examples: list[Item]
    ) -> bool:
        if not examples:
            return True
        config = self.config
        feed: Feed[list[Item]] = partial(_epoch, examples, config)
        loop = Loop(
            network,
            objective,
            feed,
            LoopSettings(
                steps=config.epochs * len(feed(Turn()).batches),
                learning_rate=config.learning_rate,
                head_learning_rate=config.learning_rate,
                warm_up=0.1,
                seed=config.seed,
            ),
            self.folder / WORK / Path(name).stem,
            self._description(),
            partial(self.progress, Path(name).stem) if self.progress else None,
        )
        return loop.run()

    def _finish(
        self,
        found: Found,
        networks: dict[str, VerifierNetwork],
        held_out: Claims,
        learnt: int,
    ) -> Report:
        """Export the networks, keep the fitted numbers of the start, and measure both."""
        tokenizer = read_tokenizer(found.folder)
        stances = networks.get(STANCE)
        # Rounded to eight bits again, weights that have moved a little would fall back.
        export_folder(networks[MODEL], tokenizer, self.folder, found.checkpoint, stances)
        if stances is not None:
            share_weights([self.folder / MODEL, self.folder / STANCE])
        settings = read_verifier(found.folder)
        write_verifier(replace(settings, risk=()), self.folder)
        before, after = measure(str(found.folder), held_out), measure(str(self.folder), held_out)
        write_verifier(replace(settings, risk=after.risk), self.folder)
        report = Report(self.config.data, self._description(), learnt, before.score, after.score)
        write_report(report, asdict(self.config), self.folder)
        for path in (self.folder / WORK).glob(f"*/{CHECKPOINT}"):
            path.unlink()
        return report

    def _description(self) -> str:
        said = {**asdict(self.config), "threads": None}
        return json.dumps(said, sort_keys=True)

    def _finished(self) -> Report:
        report = Report.read(self.folder)
        if report.about != self._description():
            raise ConfigurationError(
                f"{self.folder} holds a verifier that was trained with other settings; choose "
                "another folder, or delete that one."
            )
        return report


def _start(model: str) -> Found:
    found = Locator().ready(model)
    shape = found.checkpoint.shape
    if shape is Shape.PROMPT or (found.is_onnx and shape is not Shape.JOINT):
        raise ConfigurationError(
            f"The model {model} is no verifier that training can continue; name one that "
            f"Claimscope exported, such as {VERIFIER}, one of MultiVerS's, or an encoder such as "
            "longformer-large."
        )
    if read_verifier(found.folder).first:
        raise ConfigurationError(
            f"The model {model} reads after another verifier; continue that one instead."
        )
    return found


def _read(config: VerifierConfig) -> Claims:
    path = Path(config.data).expanduser()
    if path.suffix.lower() not in {".jsonl", *ENDINGS}:
        return open_claims(config.data)
    with open_library(resolve_location(config.library or None)) as library:
        return claims_of_library(path, library)


def _divided(data: Claims, folds: int) -> tuple[list[LabelledClaim], list[LabelledClaim]]:
    """Part the claims into those to learn from and those of the first fold."""
    groups = groups_of(data.claims)
    held = [fold_of(groups[each.claim.id], folds) == 0 for each in data.claims]
    learnt = [each for each, out in zip(data.claims, held, strict=True) if not out]
    kept = [each for each, out in zip(data.claims, held, strict=True) if out]
    if not learnt or not kept:
        raise ConfigurationError(
            f"Of {len(data.claims)} claims {len(kept)} would be held out, which leaves nothing to "
            "learn from or nothing to measure on; give more claims, or set another number of folds."
        )
    return learnt, kept


def _networks(found: Found) -> dict[str, VerifierNetwork]:
    """Read the networks of a verifier; what two of them share stays as it is."""
    names = [name for name in (MODEL, STANCE) if (found.folder / name).is_file()]
    networks = {name: read_network(found.folder / name) for name in names}
    states = [network.state_dict() for network in networks.values()]
    for network in networks.values():
        for name, weight in network.named_parameters():
            shared = len(states) > 1 and torch.equal(states[0][name], states[1][name])
            weight.requires_grad_(not shared and "word_embeddings" not in name)
    return networks


def _epoch(examples: list[Item], config: VerifierConfig, turn: Turn) -> Round[list[Item]]:
    generator = random.Random(f"{config.seed} {turn.number}")
    return Round(
        batches_by_length(examples, lambda each: each.length, config.batch_tokens, generator)
    )
