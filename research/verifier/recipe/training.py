"""Runs the stages of a recipe one after the other; each continues from its last checkpoint."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.models.encoding import Special
from claimscope.train.loop import CHECKPOINT, LOG, Loop
from claimscope.train.pretrained import load_weights, read_tokenizer
from claimscope.train.snapshot import write_tensors
from claimscope.train.verifier.abstracts import Example
from claimscope.train.verifier.network import VerifierNetwork
from claimscope.train.verifier.objective import Objective
from recipe.accuracy import measure
from recipe.config import Recipe, Stage
from recipe.feed import Pair, PairExamples, Passes
from recipe.finishing import CARD, finish
from recipe.network import new_network
from recipe.pairs import MEASURED_SETS, PAIR_SETS, read_pairs, split
from recipe.texts import plain_words
from recipe.views import examples_of

WEIGHTS = "model.safetensors"
MODEL = "model"
"""Folder of the finished model."""


@dataclass
class Training:
    """Runs a recipe in a folder; run again, it continues where it stopped."""

    recipe: Recipe
    folder: Path
    weights: Path
    """Folder that holds the folder of the pretrained encoder."""
    copy: Path | None = None
    """Second folder, for copies of checkpoints and finished weights."""

    def run(self) -> bool:
        """Run every stage that is not finished; say whether all are."""
        encoder = self.weights / self.recipe.encoder
        _check(encoder / WEIGHTS, self.recipe.sha256)
        before: Path | None = None
        for stage in self.recipe.stages:
            finished = self.folder / stage.name / WEIGHTS
            if not finished.is_file() and not self._run_stage(stage, encoder, before):
                return False
            before = finished
        return True

    def finish(self) -> Path:
        """Export, round and calibrate the finished weights; a finished model is left alone."""
        model = self.folder / MODEL
        if not (model / CARD).is_file():
            last = self.folder / self.recipe.stages[-1].name / WEIGHTS
            finish(self.recipe, self.weights / self.recipe.encoder, last, model)
        return model

    def _run_stage(self, stage: Stage, encoder: Path, before: Path | None) -> bool:
        folder = self.folder / stage.name
        folder.mkdir(parents=True, exist_ok=True)
        tokenizer = read_tokenizer(encoder)
        special = Special.of(tokenizer)
        network = new_network(
            encoder,
            dropout=stage.dropout,
            train_embeddings=self.recipe.train_embeddings,
            seed=stage.seed,
            layers=self.recipe.layers,
        )
        if before is not None:
            load_weights(network, before)
        learnt, held_out = _examples(stage, tokenizer)
        bfloat16 = bfloat16_is_faster()
        watch = _Watch(stage, network, held_out, special, folder, self.copy, bfloat16)
        loop = Loop(
            network,
            Objective(network, special, stage.sentence_weight, stage.bearing_weight),
            Passes(learnt, stage.data, stage.batch_tokens, stage.seed),
            replace(stage.loop, bfloat16=bfloat16),
            folder,
            about=f"{self.recipe.name} {stage}",
            watch=watch,
        )
        if not loop.run():
            watch.copy_checkpoint()
            return False
        watch.measure(stage.loop.steps)
        write_tensors(network.state_dict(), folder / WEIGHTS, {"format": "pt"})
        watch.copy_checkpoint()
        return True


def _check(path: Path, sha256: str) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise ConfigurationError(
            f"{path} has the checksum {found}, not {sha256}; use the encoder the recipe names."
        )


def _examples(
    stage: Stage, tokenizer: Tokenizer
) -> tuple[dict[str, Sequence[Example]], dict[str, Sequence[Example]]]:
    """Read the sets of a stage; no claim of a held-out pair is trained on in any set of pairs."""
    names = [name for name in stage.data if "/" not in name]
    sides = {name: split(name, read_pairs(name)) for name in (*names, *_measured(stage))}
    held = {plain_words(pair.claim) for _, out in sides.values() for pair in out}

    def made(pairs: Iterable[Pair]) -> Sequence[Example]:
        return PairExamples(list(pairs), tokenizer, stage.max_length)

    learnt: dict[str, Sequence[Example]] = {
        name: made(pair for pair in sides[name][0] if plain_words(pair.claim) not in held)
        for name in names
    }
    for name in stage.data:
        if "/" in name:
            learnt[name] = examples_of(name, tokenizer, stage.max_length)
    held_out = {name: made(out) for name, (_, out) in sides.items() if out}
    held_out |= {name: made(read_pairs(name)) for name in MEASURED_SETS}
    return learnt, held_out


def _measured(stage: Stage) -> list[str]:
    """Give the sets with a held-out part that this stage does not train on."""
    return [n for n, each in PAIR_SETS.items() if each.held_out and n not in stage.data]


@dataclass
class _Watch:
    """Measures held-out pairs now and then, and copies checkpoints to a second folder."""

    stage: Stage
    network: VerifierNetwork
    held_out: Mapping[str, Sequence[Example]]
    special: Special
    folder: Path
    copy: Path | None
    bfloat16: bool
    copied: float = 0.0

    def __call__(self, step: int) -> bool:
        if step and step % self.stage.measure_every == 0 and step < self.stage.loop.steps:
            self.measure(step)
        if time.monotonic() - self.copied > 600:
            self.copy_checkpoint()
        return False

    def measure(self, step: int) -> None:
        """Write the accuracy on every held-out set to the log."""
        for name, examples in self.held_out.items():
            found = measure(self.network, examples, self.special, self.bfloat16).to_dict()
            line = {"step": step, "set": name, **found}
            with (self.folder / LOG).open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(line)}\n")

    def copy_checkpoint(self) -> None:
        """Copy checkpoint, log and finished weights; the copy before is kept beside them."""
        self.copied = time.monotonic()
        if self.copy is None:
            return
        place = self.copy / self.folder.parent.name / self.stage.name
        place.mkdir(parents=True, exist_ok=True)
        for name in (CHECKPOINT, LOG, WEIGHTS):
            if (self.folder / name).is_file():
                if (place / name).is_file() and name == CHECKPOINT:
                    (place / name).replace(place / f"{name}.before")
                shutil.copy2(self.folder / name, place / f"{name}.part")
                (place / f"{name}.part").replace(place / name)


def bfloat16_is_faster() -> bool:
    """Time a product in both precisions; only some processors have instructions for bfloat16."""
    times = []
    for kind in (torch.float32, torch.bfloat16):
        left, right = torch.rand(512, 768).to(kind), torch.rand(768, 3072).to(kind)
        left @ right
        start = time.perf_counter()
        for _ in range(20):
            left @ right
        times.append(time.perf_counter() - start)
    return times[1] < 0.7 * times[0]
