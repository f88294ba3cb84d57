"""Batches for a training loop; they depend only on the position in training."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Batch = TypeVar("Batch")
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Turn:
    """Which round is to be drawn, and all that it may depend on."""

    number: int = 0
    progress: float = 0.0
    """Share of the training steps done when the round begins."""
    drawn: Mapping[str, int] = field(default_factory=dict)
    """How many examples of each source the rounds before it took."""


@dataclass(frozen=True, slots=True)
class Round(Generic[Batch]):
    """The batches of one round, and how much of each source is drawn after it."""

    batches: Sequence[Batch]
    drawn: Mapping[str, int] = field(default_factory=dict)


Feed = Callable[[Turn], Round[Batch]]
"""Draws a round; the same turn must give the same round, or a resumed run would differ."""


def batches_by_length(
    items: Sequence[Item],
    length: Callable[[Item], int],
    tokens: int,
    generator: random.Random,
    pool: int = 2000,
) -> list[list[Item]]:
    """Make shuffled batches of items of similar length, each up to a number of padded tokens.

    Items are sorted within pools drawn at random, so that batches differ from round to round.
    """
    order = list(range(len(items)))
    generator.shuffle(order)
    batches: list[list[Item]] = []
    for start in range(0, len(order), pool):
        chosen = sorted(order[start : start + pool], key=lambda index: length(items[index]))
        batches += _cut([items[index] for index in chosen], length, tokens)
    generator.shuffle(batches)
    return batches


def _cut(items: Sequence[Item], length: Callable[[Item], int], tokens: int) -> list[list[Item]]:
    """Cut items sorted by length into batches; one that is too long alone is a batch of its own."""
    batches: list[list[Item]] = []
    for item in items:
        if not batches or length(item) * (len(batches[-1]) + 1) > tokens:
            batches.append([])
        batches[-1].append(item)
    return batches


def drawn_in_turn(size: int, start: int, count: int, seed: str) -> list[int]:
    """Give the next indices of an endless series of shuffled passes over all indices."""
    places: list[int] = []
    while len(places) < count:
        time, place = divmod(start + len(places), size)
        order = list(range(size))
        random.Random(f"{seed} {time}").shuffle(order)
        places += order[place : place + count - len(places)]
    return places
