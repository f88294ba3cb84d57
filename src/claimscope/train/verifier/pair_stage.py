"""The first stage: telling support from refutation on pairs of claim and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from claimscope.errors import ConfigurationError
from claimscope.models.encoding import Special
from claimscope.train.feed import Moving
from claimscope.train.loop import Loop, Progress
from claimscope.train.optimiser import LoopSettings
from claimscope.train.verifier.layout import Inputs, inputs_of, row_of_pair
from claimscope.train.verifier.losses import pair_loss
from claimscope.train.verifier.mixture import Mixture, TokenPair, TokenPairs, divided
from claimscope.train.verifier.network import VerifierNetwork
from claimscope.train.verifier.pairs import Target
from claimscope.train.verifier.sources import find_source, read_source

_BATCH = 64


@dataclass(frozen=True, slots=True)
class PairSettings:
    """What the pair stage learns from, and how."""

    loop: LoopSettings
    shares: Mapping[str, Moving]
    """Share of each set of pairs in a round, at the start and at the end of training."""
    round_size: int = 8000
    """Pairs in a round; shares are set anew for every round."""
    tokens: int = 2560
    """Tokens in a batch, padding included."""
    max_length: int = 128
    dropout: float = 0.0
    train_embeddings: bool = True

    def __post_init__(self) -> None:
        for name in self.shares:
            find_source(name)
        if not self.shares:
            raise ConfigurationError("The pair stage has no shares; name sets of pairs there.")


@dataclass(frozen=True)
class PairData:
    """The sets of pairs as token ids: those to learn from and those held out."""

    learnt: Mapping[str, Sequence[TokenPair]]
    held_out: Mapping[str, Sequence[TokenPair]]


def read_pairs(names: Sequence[str], tokenizer: Tokenizer, max_length: int) -> PairData:
    """Read sets of pairs and part them by groups."""
    learnt: dict[str, Sequence[TokenPair]] = {}
    held_out: dict[str, Sequence[TokenPair]] = {}
    for name in names:
        sides = divided(read_source(name))
        learnt[name], held_out[name] = (TokenPairs(s, tokenizer, max_length) for s in sides)
    return PairData(learnt, held_out)


def pair_loop(
    network: VerifierNetwork,
    tokenizer: Tokenizer,
    data: PairData,
    settings: PairSettings,
    folder: Path,
    about: str,
    progress: Progress | None = None,
) -> Loop[list[TokenPair]]:
    """Make the loop of the stage."""
    special = Special.of(tokenizer)

    def loss(batch: Sequence[TokenPair]) -> dict[str, Tensor]:
        targets = torch.tensor([pair.target for pair in batch])
        return {"label": pair_loss(label_logits(network, batch, special), targets)}

    feed = Mixture(
        data.learnt, settings.shares, settings.round_size, settings.tokens, settings.loop.seed
    )
    return Loop(network, loss, feed, settings.loop, folder, about, progress)


def label_logits(network: VerifierNetwork, pairs: Sequence[TokenPair], special: Special) -> Tensor:
    """Give the label logits of pairs; no sentence is asked for."""
    rows = [row_of_pair(pair.claim, pair.evidence, special) for pair in pairs]
    inputs: Inputs = inputs_of(rows, special)
    labels: Tensor = network(inputs.ids, inputs.segments, inputs.mask, inputs.pooling)[0]
    return labels


@dataclass(frozen=True, slots=True)
class PairScore:
    """How often the network is right on the held-out pairs of a set."""

    pairs: int
    accuracy: float
    stance: float | None
    """Support against refutation, each counted alike; None where a set lacks one of them."""


@torch.inference_mode()
def measure_pairs(
    network: VerifierNetwork, tokenizer: Tokenizer, pairs: Sequence[TokenPair], most: int = 250
) -> PairScore:
    """Measure on the first so many held-out pairs of a set."""
    network.eval()
    special = Special.of(tokenizer)
    chosen = sorted((pairs[i] for i in range(min(most, len(pairs)))), key=lambda p: p.length)
    parts = [chosen[start : start + _BATCH] for start in range(0, len(chosen), _BATCH)]
    if not parts:
        return PairScore(0, 0.0, None)
    logits = torch.cat([label_logits(network, part, special) for part in parts])
    targets = torch.tensor([pair.target for pair in chosen])
    found = logits.argmax(dim=-1)
    two_way = targets == Target.NOT_SUPPORTED
    right = torch.where(two_way, found != Target.SUPPORTS, found == targets)
    recalls = [
        (logits[targets == side, :2].argmax(dim=-1) == side).float().mean().item()
        for side in (Target.SUPPORTS, Target.REFUTES)
        if bool((targets == side).any())
    ]
    stance = sum(recalls) / 2 if len(recalls) == 2 else None
    return PairScore(len(chosen), right.float().mean().item(), stance)
