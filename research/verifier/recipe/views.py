"""Labelled claims beside abstracts, seen in several ways: whole, trimmed, or a few sentences."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from tokenizers import Tokenizer

from claimscope.models.encoding import Special
from claimscope.train.verifier.abstracts import View, glimpse, nearest_singly, shown, trimmed, whole
from claimscope.train.verifier.items import Item, ItemMaker
from claimscope.train.verifier.layout import row_of_abstract
from claimscope.train.verifier.pools import ClaimPool, VectorRanking, open_pool
from recipe.feed import Example
from recipe.written import CONTRAST, contrast_pool

FOLDS, HELD_OUT = 5, 0
"""Claims are divided into five folds by the documents they share; fold 0 is never trained on."""
_NEGATIVES = 8
"""Abstracts per claim that rank high but are not evidence."""
_HELD_OUT_SETS = ("scifact", "check-covid")

Maker = Callable[[View, ItemMaker, random.Random], list[Item]]


def _rationales(view: View, maker: ItemMaker, _: random.Random) -> list[Item]:
    """Show each rationale without the rest of its abstract."""
    return [shown(view, sorted(each), maker) for each in view.sets]


def _single(view: View, maker: ItemMaker, generator: random.Random) -> list[Item]:
    """Show one sentence that bears no evidence, and the one nearest to an open claim."""
    if not view.sets:
        return nearest_singly(view, maker, 1)
    near = view.rationale | view.marked
    rest = [index for index in range(len(view.document.sentences)) if index not in near]
    return [shown(view, [generator.choice(rest)], maker)] if rest else []


KNOWN: dict[str, Maker] = {
    "whole": lambda view, maker, _: whole(view, maker),
    "trimmed": lambda view, maker, generator: [trimmed(view, maker, generator)],
    "rationale": _rationales,
    "single": _single,
}
"""Ways to show an abstract that annotators have read."""
NEGATIVE: dict[str, Maker] = {
    "negative": lambda view, maker, _: whole(view, maker),
    "negative-glimpse": lambda view, maker, _: [glimpse(view, maker)],
    "negative-single": lambda view, maker, _: nearest_singly(view, maker, 1),
}
"""Ways to show an abstract that was found for a claim but is not evidence."""


@cache
def pool_of(name: str) -> ClaimPool:
    """Open a set of labelled claims; SciFact's also has the abstracts that search finds."""
    if name == "scifact":
        return open_pool(name, 20, vectors=VectorRanking())
    if name == CONTRAST:
        return contrast_pool()
    return open_pool(name, 0)


def training_pool(name: str) -> ClaimPool:
    """Give the claims of a set that may be trained on."""
    learnt, _ = pool_of(name).divided(HELD_OUT if name in _HELD_OUT_SETS else None, FOLDS)
    return learnt


def held_out_pool(name: str) -> ClaimPool:
    """Give the held-out claims of a set."""
    return pool_of(name).divided(HELD_OUT, FOLDS)[1]


def examples_of(source: str, tokenizer: Tokenizer, max_length: int) -> Sequence[Example]:
    """Give the examples of `set/way`, such as `scifact/whole`, in a fixed order."""
    name, _, way = source.partition("/")
    pool, maker = training_pool(name), ItemMaker(tokenizer, max_length)
    make = KNOWN.get(way) or NEGATIVE[way]
    generator = random.Random(source)
    special = Special.of(tokenizer)
    return [
        example_of(item, special)
        for view in _views(pool, negative=way in NEGATIVE)
        for item in make(view, maker, generator)
    ]


def example_of(item: Item, special: Special) -> Example:
    """Lay an item out as the network reads it."""
    row = row_of_abstract(item.claim, item.title, item.sentences, special)
    return Example(row, item.target, item.stances, item.weight)


def _views(pool: ClaimPool, negative: bool) -> Iterable[View]:
    for claim in pool.claims:
        yield from pool.negatives(claim, _NEGATIVES) if negative else pool.known(claim)
