"""Turns sets of pairs into passes of batches; every pass draws the next examples of each set."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.models.encoding import Special
from claimscope.train.batches import Round, Turn, batches_by_length, drawn_in_turn
from claimscope.train.verifier.abstracts import Example, Target
from claimscope.train.verifier.network import row_of_abstract

_LONGEST_CLAIM = 80


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, evidence and target; pairs of one group share a source and are held out together."""

    claim: str
    evidence: str
    target: Target
    group: str


class PairExamples(Sequence[Example]):
    """Pairs as examples of one sentence; token ids are kept packed to save memory."""

    def __init__(self, pairs: Sequence[Pair], tokenizer: Tokenizer, max_length: int) -> None:
        self._special = Special.of(tokenizer)
        self._room = max_length - 4
        rows = [
            encoded.ids
            for text in ("claim", "evidence")
            for encoded in tokenizer.encode_batch(
                [getattr(pair, text) for pair in pairs], add_special_tokens=False
            )
        ]
        self._ends = np.cumsum([0, *map(len, rows)])
        self._tokens: NDArray[np.int32] = np.fromiter(
            (token for row in rows for token in row), dtype=np.int32, count=int(self._ends[-1])
        )
        self._targets = [int(pair.target) for pair in pairs]

    def __len__(self) -> int:
        return len(self._targets)

    def __getitem__(self, index: int) -> Example:  # type: ignore[override]
        claim = self._text(index)[:_LONGEST_CLAIM]
        evidence = self._text(len(self) + index)[: self._room - len(claim)]
        target = self._targets[index]
        return Example(row_of_abstract(claim, (), [evidence], self._special), target, (target,))

    def _text(self, number: int) -> list[int]:
        tokens: list[int] = self._tokens[self._ends[number] : self._ends[number + 1]].tolist()
        return tokens


@dataclass(frozen=True)
class Passes:
    """Draws passes: so many examples of each set, the next ones in a shuffled order."""

    sets: Mapping[str, Sequence[Example]]
    counts: Mapping[str, int]
    batch_tokens: int
    seed: int

    def __call__(self, turn: Turn) -> Round[list[Example]]:
        """Draw one pass and put it into batches of similar length."""
        examples: list[Example] = []
        for name, count in self.counts.items():
            start = turn.drawn.get(name, 0)
            places = drawn_in_turn(len(self.sets[name]), start, count, f"{self.seed} {name}")
            examples += [self.sets[name][place] for place in places]
        generator = random.Random(f"{self.seed} {turn.number}")
        batches = batches_by_length(
            examples, lambda example: example.length, self.batch_tokens, generator
        )
        drawn = {name: turn.drawn.get(name, 0) + count for name, count in self.counts.items()}
        return Round(batches, drawn)
