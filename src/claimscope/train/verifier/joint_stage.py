"""The second stage: labels and stances on abstracts, in parts and as a whole."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError
from claimscope.models.encoding import Special
from claimscope.train.feed import Feed, Moving, Round, Turn, batches_by_length, drawn_in_turn
from claimscope.train.loop import Loop, Progress
from claimscope.train.optimiser import LoopSettings
from claimscope.train.verifier.abstracts import View, glimpse, nearest_singly, short, trimmed, whole
from claimscope.train.verifier.items import IGNORED, Item, ItemMaker, is_decided, without_stance
from claimscope.train.verifier.layout import inputs_of, row_of_abstract
from claimscope.train.verifier.losses import JointWeights, joint_losses, taught_losses
from claimscope.train.verifier.network import CLASSES, VerifierNetwork
from claimscope.train.verifier.pairs import Target
from claimscope.train.verifier.pools import ClaimPool, VectorRanking, check_data
from claimscope.train.verifier.sources import find_source
from claimscope.train.verifier.teacher import TeacherSettings


@dataclass(frozen=True, slots=True)
class PoolSettings:
    """What is learnt from one set of labelled claims."""

    data: str
    """A data set's name, or a folder of one's own in SciFact's format."""
    negatives: float = 2
    """Documents a claim that BM25 ranks high but that are no evidence; 0.3 is one for three in ten
    claims."""
    glimpses: int = 0
    """Further negatives of which only the sentences nearest to the claim are shown."""
    negatives_from: int = 10
    """Among how many of the first both are drawn."""
    negative_plain: int = 0
    """Single sentences a negative, beside the whole of it."""
    negative_near: int = 0
    """Further single sentences a negative, those that share most words with the claim."""
    plain: int = 1
    """Single sentences without evidence an abstract."""
    singly: bool = False
    """Whether the sentences of a rationale of several are also shown one by one."""
    bearing: float = 1.0
    """Weight of rationales and single sentences with evidence beside those without."""
    refute_power: float = 0.5
    """How far refutations, which are fewer, are weighted up: 0 not at all, 1 to equal weight."""
    stance: float = 1.0
    """Share of the times a claim comes up at which support is told from refutation; otherwise only
    evidence is told from none. A claim mostly has one label, which is soon known by heart."""
    full: float = 1.0
    """Factor of the stage's share of whole abstracts."""
    abstracts: float = 1.0
    """Share of the abstracts a claim cites that are shown beside their rationales alone."""
    round_claims: int | None = None
    """How many claims a round takes, the next ones in turn; all if left out."""
    hold_out: bool = True
    """Whether a fold of these claims is kept to measure on."""

    @property
    def needs_candidates(self) -> bool:
        """Whether BM25 has to search for these claims, to draw negatives or to measure."""
        return self.hold_out or self.negatives > 0 or self.glimpses > 0

    def __post_init__(self) -> None:
        check_data(self.data)
        if not 0 <= self.stance <= 1:
            raise ConfigurationError(
                f"The setting 'stance' of {self.data} must lie between 0 and 1, "
                f"not {self.stance:g}."
            )


@dataclass(frozen=True, slots=True)
class JointSettings:
    """What the joint stage learns from, and how."""

    loop: LoopSettings
    data: tuple[PoolSettings, ...]
    full: Moving = field(default_factory=lambda: Moving(0.05, 0.5))
    """Share of abstracts shown whole, at the start and at the end of training."""
    weak: Moving = field(default_factory=lambda: Moving(0.15, 0.1))
    """Share of weak items and replayed pairs."""
    weak_papers: int = 9000
    """PubMed abstracts that weak items are made from; 0 for none."""
    replay: Mapping[str, int] = field(default_factory=dict)
    """How many pairs of the first stage's sets are shown again."""
    tokens: int = 3000
    dropout: float = 0.0
    train_embeddings: bool = False
    frozen: int = 0
    """How many of the first layers stay as they are, with the embeddings: two networks that start
    alike then share them."""
    weights: JointWeights = field(default_factory=JointWeights)
    candidates: int = 20
    """Documents a claim that BM25 gives, to draw negatives from and to measure on."""
    vectors: VectorRanking | None = None
    """Whether they are ranked once more by vectors."""
    folds: int = 5
    fold: int | None = None
    """Fold of the claims that is kept to measure and calibrate on; none if left out."""
    teacher: TeacherSettings | None = None
    decided_only: bool = False
    """Whether items without evidence are left out: all is then learnt to tell support from
    refutation, by a network that another one shows the evidence to."""

    def __post_init__(self) -> None:
        for name in self.replay:
            find_source(name)
        if not self.data:
            raise ConfigurationError("The joint stage has no data; name a set or a folder.")


def items_of_claims(
    claims: Sequence[LabelledClaim],
    pool: ClaimPool,
    settings: PoolSettings,
    full: float,
    maker: ItemMaker,
    generator: random.Random,
) -> list[Item]:
    """Go over claims once: what they cite, in parts and trimmed or whole, and negatives."""
    items: list[Item] = []

    def abstract(view: View) -> list[Item]:
        if generator.random() < full * settings.full:
            return whole(view, maker)
        return [trimmed(view, maker, generator)]

    for claim in claims:
        cited: list[Item] = []
        for view in pool.known(claim):
            if generator.random() < settings.abstracts:
                cited += abstract(view)
            parts = short(view, maker, generator, settings.plain, settings.singly)
            cited += [_weighted(part, settings.bearing) for part in parts]
        # No number is drawn where it decides nothing, so that older trainings stay what they were.
        told = settings.stance >= 1 or generator.random() < settings.stance
        items += cited if told else map(without_stance, cited)
        negatives = pool.negatives(claim, settings.negatives_from)
        wanted = int(settings.negatives + generator.random())
        generator.shuffle(negatives)
        for view in negatives[:wanted]:
            items += abstract(view)
            items += short(view, maker, generator, settings.negative_plain)
            items += nearest_singly(view, maker, settings.negative_near)
        for view in negatives[wanted : wanted + settings.glimpses]:
            items.append(glimpse(view, maker))
    return _with_refutations_weighted(items, settings.refute_power)


def _weighted(item: Item, bearing: float) -> Item:
    is_silent = item.target == Target.NOT_ENOUGH_INFO
    return item if is_silent else replace(item, weight=item.weight * bearing)


def _with_refutations_weighted(items: list[Item], power: float) -> list[Item]:
    supports = sum(item.target == Target.SUPPORTS for item in items)
    refutes = sum(item.target == Target.REFUTES for item in items)
    factor = (supports / max(refutes, 1)) ** power if supports else 1.0
    return [
        replace(item, weight=item.weight * factor) if item.target == Target.REFUTES else item
        for item in items
    ]


@dataclass(frozen=True)
class AbstractMixture:
    """Draws rounds: all claims of a pool or the next ones in turn, and weak items beside them."""

    pools: Sequence[tuple[ClaimPool, PoolSettings]]
    weak: Sequence[Item]
    settings: JointSettings
    maker: ItemMaker

    def __call__(self, turn: Turn) -> Round[list[Item]]:
        """Draw the items of a round and put them into batches."""
        generator = random.Random(f"{self.settings.loop.seed} {turn.number}")
        full = self.settings.full.at(turn.progress)
        drawn: dict[str, int] = {}
        items: list[Item] = []
        for pool, settings in self.pools:
            start = turn.drawn.get(settings.data, 0)
            claims = self._next(pool, settings, start)
            drawn[settings.data] = start + len(claims)
            items += items_of_claims(claims, pool, settings, full, self.maker, generator)
        if self.settings.decided_only:
            items = [item for item in items if is_decided(item)]
        share = self.settings.weak.at(turn.progress) if self.weak else 0.0
        count = int(len(items) * share / max(1e-6, 1 - share))
        start = turn.drawn.get("weak", 0)
        items += [self.weak[(start + i) % len(self.weak)] for i in range(count)]
        batches = batches_by_length(
            items, lambda item: item.length, self.settings.tokens, generator, pool=1200
        )
        return Round(batches, drawn | {"weak": start + count})

    def _next(self, pool: ClaimPool, settings: PoolSettings, start: int) -> list[LabelledClaim]:
        """Give the claims of a round; each comes once before any comes again."""
        count = settings.round_claims
        if count is None or not pool.claims:
            return list(pool.claims)
        return [
            pool.claims[index]
            for index in drawn_in_turn(
                len(pool.claims), start, count, f"{self.settings.loop.seed} {settings.data}"
            )
        ]


def joint_loop(
    network: VerifierNetwork,
    tokenizer: Tokenizer,
    feed: Feed[list[Item]],
    settings: JointSettings,
    folder: Path,
    about: str,
    progress: Progress | None = None,
) -> Loop[list[Item]]:
    """Make the loop of the stage."""
    special = Special.of(tokenizer)

    def loss(batch: Sequence[Item]) -> dict[str, Tensor]:
        rows = [row_of_abstract(i.claim, i.title, i.sentences, special) for i in batch]
        inputs = inputs_of(rows, special)
        labels, sentences = network(inputs.ids, inputs.segments, inputs.mask, inputs.pooling)
        most = inputs.pooling.shape[1]
        stances = [[*i.stances, *[IGNORED] * (most - len(i.stances))] for i in batch]
        parts = joint_losses(
            labels,
            sentences,
            torch.tensor([item.target for item in batch]),
            torch.tensor(stances),
            torch.tensor([item.weight for item in batch]),
            settings.weights,
        )
        if settings.teacher is None:
            return parts
        taught, known = _taught(batch, most)
        share = settings.teacher.share * float(known[:, 0].float().mean())
        others = taught_losses(
            labels, sentences, taught, known, settings.teacher.temperature, settings.weights
        )
        return {name: (1 - share) * value for name, value in parts.items()} | {
            name: share * value for name, value in others.items()
        }

    return Loop(network, loss, feed, settings.loop, folder, about, progress)


def _taught(batch: Sequence[Item], most: int) -> tuple[Tensor, Tensor]:
    """Give a teacher's logits, padded to so many sentences, and which of them it gave."""
    taught = torch.zeros(len(batch), 1 + most, CLASSES)
    known = torch.zeros(len(batch), 1 + most, dtype=torch.bool)
    for place, item in enumerate(batch):
        if item.taught is not None:
            taught[place, : len(item.taught)] = torch.tensor(item.taught)
            known[place, : len(item.taught)] = True
    return taught, known
