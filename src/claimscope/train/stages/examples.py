"""What a stage learns from: a claim, a text, and what is to be said of the two."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from claimscope.datasets.record import LabelledClaim
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.labels import Label
from claimscope.models.outputs import label_order, relevant_column
from claimscope.train.claims import Claims, fold_of, groups_of

Item = TypeVar("Item")
Target = bool | Label | float
"""Whether the text is relevant, what it says of the claim, or a score between 0 and 1."""


@dataclass(frozen=True, slots=True)
class Example:
    """One claim beside one text; claims are held out by their ids."""

    claim_id: str
    claim: str
    evidence: str
    target: Target


@dataclass(frozen=True)
class Work:
    """What a builder works with: chance, a folder for what is dear to compute, and a listener."""

    generator: random.Random
    folder: Path
    progress: Callable[[int, int], None] = lambda done, total: None
    """Told how many of how many claims are done, by builders that take long."""


class Builder(Protocol):
    """Makes the examples of one stage as its paper does."""

    def build(self, data: Claims, work: Work) -> list[Example]:
        """Make the examples, the same ones for the same generator."""


def output_of(target: Target, names: Sequence[str]) -> float:
    """Give the number of the output that a target wants, or the value of a single output."""
    if len(names) <= 1:
        if isinstance(target, Label):
            raise ConfigurationError(
                "A network with one output cannot learn labels; name an output for each label."
            )
        return float(target)
    if isinstance(target, Label):
        parsed = tuple(map(Label.parse, names))
        return label_order(names, frozenset(parsed)).index(target)
    if not isinstance(target, bool):
        raise ConfigurationError(
            f"Scores are learnt by one output, and there are {len(names)}; leave the labels out."
        )
    column = relevant_column(names)
    return column if target else 1 - column


def divided(
    examples: Sequence[Example], claims: Sequence[LabelledClaim], folds: int, fold: int | None
) -> tuple[list[Example], list[Example]]:
    """Part examples into those to learn from and those of one fold of claims.

    Claims that share a document lie on the same side; without a fold none is held out.
    """
    groups = groups_of(claims)
    held = {name for name, group in groups.items() if fold_of(group, folds) == fold}
    learnt = [each for each in examples if each.claim_id not in held]
    return learnt, [each for each in examples if each.claim_id in held]


def oversampled(
    examples: Sequence[Example], factors: Mapping[str, int], names: Sequence[str]
) -> list[Example]:
    """Repeat the examples of an output so many times as its factor says.

    A single output is that of relevance, whose examples are relevant or irrelevant.
    """
    names = names if len(names) > 1 else ("irrelevant", "relevant")
    unknown = sorted(factors.keys() - set(names))
    if unknown:
        raise UnknownNameError("output to oversample", unknown[0], names)
    if not factors:
        return list(examples)
    counts = [factors.get(name, 1) for name in names]
    return [each for each in examples for _ in range(counts[int(output_of(each.target, names))])]


def checksum(examples: Sequence[Example]) -> str:
    """Give a checksum of examples, by which a resumed training knows its data."""
    digest = hashlib.blake2b(digest_size=16)
    for each in examples:
        digest.update(repr(each).encode())
    return digest.hexdigest()


def sampled(items: Sequence[Item], count: int, generator: random.Random) -> list[Item]:
    """Draw at most so many of the items, in their own order."""
    places = generator.sample(range(len(items)), min(count, len(items)))
    return [items[place] for place in sorted(places)]
