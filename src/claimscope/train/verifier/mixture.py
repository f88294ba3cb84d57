"""Pairs from many sets in shares that move with the progress of training."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.train.feed import Moving, Round, Turn, batches_by_length, drawn_in_turn
from claimscope.train.verifier.pairs import Pair, is_held_out

_LONGEST_CLAIM = 60


@dataclass(frozen=True, slots=True)
class TokenPair:
    """A pair as token ids, without the special tokens."""

    claim: Sequence[int]
    evidence: Sequence[int]
    target: int

    @property
    def length(self) -> int:
        """How many tokens it is with its three special ones."""
        return len(self.claim) + len(self.evidence) + 3


class TokenPairs(Sequence[TokenPair]):
    """Many pairs as token ids, packed, since a list of lists would be ten times as large."""

    def __init__(self, pairs: Sequence[Pair], tokenizer: Tokenizer, max_length: int) -> None:
        claims = _encoded(tokenizer, [pair.claim for pair in pairs])
        evidence = _encoded(tokenizer, [pair.evidence for pair in pairs])
        rows = []
        for said, shown in zip(claims, evidence, strict=True):
            said = said[:_LONGEST_CLAIM]
            rows += [said, shown[: max_length - 3 - len(said)]]
        self._ends = np.cumsum([0, *map(len, rows)])
        self._tokens: NDArray[np.int32] = np.fromiter(
            (token for row in rows for token in row), dtype=np.int32, count=int(self._ends[-1])
        )
        self._targets = [int(pair.target) for pair in pairs]

    def __len__(self) -> int:
        return len(self._targets)

    def __getitem__(self, index: int) -> TokenPair:  # type: ignore[override]
        return TokenPair(self._row(2 * index), self._row(2 * index + 1), self._targets[index])

    def _row(self, number: int) -> list[int]:
        row: list[int] = self._tokens[self._ends[number] : self._ends[number + 1]].tolist()
        return row


def _encoded(tokenizer: Tokenizer, texts: list[str]) -> list[list[int]]:
    return [each.ids for each in tokenizer.encode_batch(texts, add_special_tokens=False)]


def divided(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Give the pairs to learn from and those held out."""
    held_out = [is_held_out(pair) for pair in pairs]
    return (
        [pair for pair, held in zip(pairs, held_out, strict=True) if not held],
        [pair for pair, held in zip(pairs, held_out, strict=True) if held],
    )


@dataclass(frozen=True)
class Mixture:
    """Draws rounds of pairs; every set is gone through to its end before any pair comes again."""

    sets: Mapping[str, Sequence[TokenPair]]
    shares: Mapping[str, Moving]
    round_size: int
    tokens: int
    seed: int

    def __call__(self, turn: Turn) -> Round[list[TokenPair]]:
        """Draw the pairs of a round and put them into batches."""
        wanted = self._counts(turn.progress)
        pairs = [
            self.sets[name][index]
            for name, count in wanted.items()
            for index in drawn_in_turn(
                len(self.sets[name]), turn.drawn.get(name, 0), count, f"{self.seed} {name}"
            )
        ]
        generator = random.Random(f"{self.seed} {turn.number}")
        batches = batches_by_length(pairs, lambda pair: pair.length, self.tokens, generator)
        drawn = {name: turn.drawn.get(name, 0) + count for name, count in wanted.items()}
        return Round(batches, drawn)

    def _counts(self, progress: float) -> dict[str, int]:
        shares = {name: max(0.0, share.at(progress)) for name, share in self.shares.items()}
        total = sum(shares.values()) or 1.0
        return {
            name: round(self.round_size * share / total) if len(self.sets[name]) else 0
            for name, share in shares.items()
        }
