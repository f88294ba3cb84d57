"""Trains a verifier from a configuration: both stages, then export, calibration and card."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import torch

from claimscope.errors import ConfigurationError
from claimscope.models.checkpoint import (
    DESCRIPTION,
    Checkpoint,
    Shape,
    describe_folder,
    write_description,
)
from claimscope.models.loader import Models
from claimscope.models.verifier.onnx_joint import MODEL, STANCE
from claimscope.train.feed import Feed
from claimscope.train.loop import Loop
from claimscope.train.rounding import SHARED
from claimscope.train.snapshot import read_tensors, write_tensors
from claimscope.train.starting import (
    find_encoder,
    load_mean,
    load_weights,
    new_network,
    read_tokenizer,
    share_layers,
    start_stances_from_labels,
)
from claimscope.train.verifier.calibrate import Calibration, calibrate
from claimscope.train.verifier.card import CardFacts, card
from claimscope.train.verifier.export import describe, export_folder, round_folder
from claimscope.train.verifier.items import Item, ItemMaker
from claimscope.train.verifier.joint_stage import AbstractMixture, JointSettings, joint_loop
from claimscope.train.verifier.mixture import divided
from claimscope.train.verifier.network import VerifierNetwork
from claimscope.train.verifier.pair_stage import (
    PairScore,
    PairSettings,
    measure_pairs,
    pair_loop,
    read_pairs,
)
from claimscope.train.verifier.pairs import CLASSES, Target
from claimscope.train.verifier.pictures import RELIABILITY, RISK, draw
from claimscope.train.verifier.pools import ClaimPool, licence_of, open_pool
from claimscope.train.verifier.sources import SOURCES, folder_of, read_source
from claimscope.train.verifier.teacher import TaughtFeed, Teacher
from claimscope.train.weak.abstract_items import abstract_items
from claimscope.train.weak.papers import read_papers

WEIGHTS = "model.safetensors"
SCORES = "held_out.json"
CALIBRATION = "calibration.json"

StageSettings = TypeVar("StageSettings", PairSettings, JointSettings)
Report = Callable[[str, int, int], None]
"""Told the stage, and how many of how many steps of it are done."""


@dataclass(frozen=True, slots=True)
class VerifierConfig:
    """A whole training; its first stage can be left out, or be taken from an earlier training."""

    name: str
    encoder: str
    """Folder of the pretrained encoder, or its name in the folders of models."""
    joint: JointSettings
    pairs: PairSettings | None = None
    start: str | None = None
    """Weights of an earlier training, `model.safetensors` of one of its stages, to go on from."""
    mean_of: tuple[str, ...] = ()
    """Weights of trainings with other seeds, whose mean is taken in the place of the stages."""
    max_length: int = 512
    reread: int = 0
    """How many of its best sentences the verifier reads again, each by itself."""
    reread_weight: float = 0.5
    reread_sentence_weight: float = 0.0
    """Shares of the second reading in the label and in the scores of the sentences."""
    reread_least: float = 0.02
    """How likely evidence must be in the first reading to deserve a second."""
    stance: str | None = None
    """Weights of another training, whose network tells support from refutation in the sentences
    that this one finds."""
    stance_weight: float = 1.0
    stance_sentences: int = 1
    """Its share in that, and how many sentences it reads, each by itself."""
    stance_shares: int = 0
    """How many first layers, and the embeddings, it takes from this one, so that they are kept
    once; the two must have begun alike."""
    first: str = ""
    """Name or folder of a verifier that reads abstracts before this one, which then reads them,
    too; the shares and the least hope of a second reading are then this one's."""
    calibration: str | None = None
    """Folder of a training of the same kind that held claims out, whose scaling this one takes over
    because it has learnt from all claims."""
    packed: bool = False
    """Whether matrices of eight bits stay packed in memory; for a network too large to be
    multiplied out when it is opened."""
    threads: int | None = None

    @property
    def described(self) -> Checkpoint:
        """What the package has to know of the model, before it is calibrated."""
        return Checkpoint(
            self.name,
            Shape.JOINT,
            max_length=self.max_length,
            labels=CLASSES,
            reread=self.reread,
            reread_weight=self.reread_weight,
            reread_sentence_weight=self.reread_sentence_weight,
            reread_least=self.reread_least,
            stance_weight=self.stance_weight if self.stance else 0.0,
            stance_sentences=self.stance_sentences,
            first=self.first,
        )

    def __post_init__(self) -> None:
        if self.first and (self.reread or self.stance is not None):
            raise ConfigurationError(
                f"A verifier that reads after {self.first} reads once and without a network of "
                "stances; leave out 'reread' and 'stance', or 'first'."
            )
        if self.mean_of and (self.start is not None or self.pairs is not None):
            raise ConfigurationError(
                "A training that takes the mean of others has no stages of its own; leave out "
                "[pairs] and start, or mean_of."
            )


@dataclass
class VerifierTraining:
    """Runs a configuration in a folder; run again, it goes on where it stopped."""

    config: VerifierConfig
    folder: Path
    text: str
    """The configuration as it was written, for the card."""
    report: Report | None = None

    def run(self) -> bool:
        """Run what is not yet done; say whether all is, or somebody asked to stop."""
        if self.config.threads is not None:
            torch.set_num_threads(self.config.threads)
        self._encoder = find_encoder(self.config.encoder)
        self._tokenizer = read_tokenizer(self._encoder)
        if self.config.pairs is not None and not self._pair_stage(self.config.pairs):
            return False
        pools = self._pools()
        if not self._joint_stage(pools):
            return False
        self._finish(pools)
        return True

    def _pair_stage(self, settings: PairSettings) -> bool:
        folder = self.folder / "pairs"
        about = self._about("pairs", [self.config.start, settings])
        if _is_done(folder, about):
            return True
        network = self._network(settings)
        if self.config.start is not None:
            load_weights(network, Path(self.config.start).expanduser())
        names = list(settings.shares)
        data = read_pairs(names, self._tokenizer, settings.max_length)
        resumed = self._about("pairs", [self.config.start, _weighty(settings)])
        loop = pair_loop(
            network, self._tokenizer, data, settings, folder, resumed, self._progress("pairs")
        )
        if not loop.run():
            return False
        scores = {
            name: asdict(measure_pairs(network, self._tokenizer, pairs))
            for name, pairs in data.held_out.items()
        }
        (folder / SCORES).write_text(json.dumps(scores, indent=2), encoding="utf-8")
        start_stances_from_labels(network)
        _write_weights(network, folder, about)
        return True

    def _joint_stage(self, pools: list[tuple[ClaimPool, ClaimPool]]) -> bool:
        settings = self.config.joint
        folder = self.folder / "joint"
        origin = [self.config.start, self.config.mean_of, self.config.pairs]
        about = self._about("joint", [*origin, settings])
        if _is_done(folder, about):
            return True
        network = self._network(settings)
        if self.config.mean_of:
            load_mean(network, [Path(each).expanduser() for each in self.config.mean_of])
            folder.mkdir(parents=True, exist_ok=True)
            _write_weights(network, folder, about)
            return True
        if self.config.pairs is not None:
            load_weights(network, self.folder / "pairs" / WEIGHTS)
        elif self.config.start is not None:
            load_weights(network, Path(self.config.start).expanduser())
        maker = ItemMaker(self._tokenizer, self.config.max_length)
        learnt = [(own[0], each) for own, each in zip(pools, settings.data, strict=True)]
        feed: Feed[list[Item]] = AbstractMixture(
            learnt, weak_items(settings, maker), settings, maker
        )
        resumed = self._about("joint", [*origin, _weighty(settings)])
        if settings.teacher is not None:
            feed = TaughtFeed(
                feed,
                Teacher(settings.teacher, self._tokenizer, settings.loop.bfloat16),
                settings.teacher,
                folder / "taught",
                resumed,
                self._progress("teacher"),
            )
        loop: Loop[list[Item]] = joint_loop(
            network, self._tokenizer, feed, settings, folder, resumed, self._progress("joint")
        )
        if not loop.run():
            return False
        _write_weights(network, folder, about)
        return True

    def _pools(self) -> list[tuple[ClaimPool, ClaimPool]]:
        """Open the labelled claims, those to learn from and those held out."""
        joint = self.config.joint
        return [
            open_pool(
                each.data,
                joint.candidates if each.needs_candidates else 0,
                vectors=joint.vectors,
            ).divided(joint.fold if each.hold_out else None, joint.folds)
            for each in joint.data
        ]

    def _finish(self, pools: list[tuple[ClaimPool, ClaimPool]]) -> None:
        network = self._network(self.config.joint)
        load_weights(network, self.folder / "joint" / WEIGHTS)
        plain = self.config.described
        stances = self._stances(network) if self.config.stance is not None else None
        single = self.folder / "fp32"
        forms = {
            "fp32": export_folder(network, self._tokenizer, single, plain, stances),
            "int8": round_folder(single, self.folder / "int8", self.config.packed),
        }
        found: dict[str, Calibration] = {}
        # Thresholds are fitted on the first set of claims, which the others only help to learn.
        held_out, *others = [held for _, held in pools]
        others = [each for each in others if each.claims]
        if held_out.claims:
            for form, folder in forms.items():
                found[form] = calibrate(Models().verifier(str(folder)), held_out, others)
                describe(folder, plain, found[form].scaling, found[form].tolerance)
                written = json.dumps(asdict(found[form]), indent=2)
                (folder / CALIBRATION).write_text(written, encoding="utf-8")
                draw(found[form], folder)
        elif self.config.calibration is not None:
            for form, folder in forms.items():
                _take_over(Path(self.config.calibration).expanduser() / form, folder, plain.first)
        files = [folder / name for folder in forms.values() for name in (MODEL, STANCE, SHARED)]
        text = card(self._facts(found, [path for path in files if path.is_file()]))
        (self.folder / "README.md").write_text(text, encoding="utf-8")

    def _stances(self, network: VerifierNetwork) -> VerifierNetwork:
        """Give the network of stances, with what it shares with the other."""
        stances = self._network(self.config.joint)
        load_weights(stances, Path(str(self.config.stance)).expanduser())
        if self.config.stance_shares:
            share_layers(network, stances, self.config.stance_shares)
        return stances

    def _facts(self, found: dict[str, Calibration], files: list[Path]) -> CardFacts:
        config, pairs = self.config, self.config.pairs
        names = [*(pairs.shares if pairs else ()), *config.joint.replay]
        data = {name: SOURCES[name].licence for name in dict.fromkeys(names)}
        data |= {each.data: licence_of(each.data) for each in config.joint.data}
        if config.joint.weak_papers:
            data["pubmed-edits"] = SOURCES["pubmed-edits"].licence
        scores: dict[str, PairScore] = {}
        if pairs is not None:
            said = json.loads((self.folder / "pairs" / SCORES).read_text("utf-8"))
            scores = {name: PairScore(**each) for name, each in said.items()}
        return CardFacts(config.name, config.encoder, data, self.text, scores, found, files)

    def _network(self, settings: PairSettings | JointSettings) -> VerifierNetwork:
        return new_network(
            self._encoder,
            dropout=settings.dropout,
            train_embeddings=settings.train_embeddings,
            seed=settings.loop.seed,
            frozen=settings.frozen if isinstance(settings, JointSettings) else 0,
        )

    def _about(self, stage: str, settings: Any) -> str:
        said = {"stage": stage, "encoder": self.config.encoder, "settings": settings}
        return json.dumps(said, sort_keys=True, default=asdict)

    def _progress(self, stage: str) -> Callable[[int, int], None] | None:
        return partial(self.report, stage) if self.report is not None else None


def _weighty(settings: StageSettings) -> StageSettings:
    """Give what the weights of a stage on its way depend on; the rest may be set anew."""
    return replace(settings, loop=settings.loop.weighty)


def weak_items(settings: JointSettings, maker: ItemMaker) -> list[Item]:
    """Make the weak items and those of replayed pairs, shuffled."""
    generator = random.Random(settings.loop.seed)
    items: list[Item] = []
    if settings.weak_papers:
        papers = list(read_papers(folder_of("pubmed-edits")))
        items += abstract_items(papers, settings.weak_papers, maker, generator)
    for name, count in settings.replay.items():
        learnt, _ = divided(read_source(name))
        pairs = [pair for pair in learnt if pair.target is not Target.NOT_SUPPORTED]
        if settings.decided_only:
            pairs = [pair for pair in pairs if pair.target is not Target.NOT_ENOUGH_INFO]
        items += [
            maker.item(pair.claim, "", [pair.evidence], pair.target, [pair.target])
            for pair in generator.sample(pairs, min(count, len(pairs)))
        ]
    generator.shuffle(items)
    return items


def _take_over(source: Path, folder: Path, first: str) -> None:
    """Copy what was fitted on held-out claims beside weights with a first reader of their own."""
    for name in (DESCRIPTION, CALIBRATION, RELIABILITY, RISK):
        if (source / name).is_file():
            (folder / name).write_bytes((source / name).read_bytes())
        elif name in (DESCRIPTION, CALIBRATION):
            raise ConfigurationError(
                f"{source} has no {name} to take the scaling from; train with claims held out "
                "there first, or leave out 'calibration'."
            )
    write_description(replace(describe_folder(folder), first=first), folder)


def _is_done(folder: Path, about: str) -> bool:
    path = folder / WEIGHTS
    if not path.is_file():
        return False
    if read_tensors(path)[1].get("about") != about:
        raise ConfigurationError(
            f"{path} was trained with other settings; choose another folder for this training, or "
            "delete that one."
        )
    return True


def _write_weights(network: VerifierNetwork, folder: Path, about: str) -> None:
    write_tensors(network.state_dict(), folder / WEIGHTS, {"format": "pt", "about": about})
