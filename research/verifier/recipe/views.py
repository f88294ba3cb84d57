"""Labelled claims beside abstracts, seen in several ways: whole, trimmed, or a few sentences."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from tokenizers import Tokenizer

from claimscope.train.verifier.abstracts import Example, ExampleMaker, View
from recipe.pools import ClaimPool, VectorRanking, open_pool
from recipe.texts import content, overlap

FOLDS, HELD_OUT = 5, 0
"""Claims are divided into five folds by the documents they share; fold 0 is never trained on."""
_NEGATIVES = 8
"""Abstracts per claim that rank high but are not evidence."""
_GLIMPSE = 2
_HELD_OUT_SETS = ("scifact", "check-covid")

Maker = Callable[[View, ExampleMaker, random.Random], list[Example]]


def trimmed(view: View, maker: ExampleMaker, generator: random.Random) -> Example:
    """Show two to five sentences in their order, with a whole rationale if there is one."""
    sets = view.sets
    must = generator.choice(sets) if sets else frozenset()
    free = [index for index in range(len(view.document.sentences)) if index not in must]
    size = min(len(free), max(0, generator.randint(2, 5) - len(must)))
    return maker.shown(view, sorted(must | set(generator.sample(free, size))))


def glimpse(view: View, maker: ExampleMaker) -> Example:
    """Show the two sentences of an abstract that share most words with the claim, in their order.

    For an abstract that is no evidence these look most like it, and cost a third of the whole.
    """
    return maker.shown(view, sorted(_nearest(view)[:_GLIMPSE]))


def nearest_singly(view: View, maker: ExampleMaker, count: int) -> list[Example]:
    """Show the sentences that share most words with the claim, each without the others."""
    return [maker.shown(view, [index]) for index in _nearest(view)[:count]]


def _nearest(view: View) -> list[int]:
    """Order the sentences by the words they share with the claim, most first."""
    said = content(view.claim)
    sentences = view.document.sentences
    shared = [overlap(said, content(sentence)) for sentence in sentences]
    return sorted(range(len(sentences)), key=lambda index: -shared[index])


def _rationales(view: View, maker: ExampleMaker, _: random.Random) -> list[Example]:
    """Show each rationale without the rest of its abstract."""
    return [maker.shown(view, sorted(each)) for each in view.sets]


def _single(view: View, maker: ExampleMaker, generator: random.Random) -> list[Example]:
    """Show one sentence that bears no evidence, and the one nearest to an open claim."""
    if not view.sets:
        return nearest_singly(view, maker, 1)
    near = view.rationale | view.marked
    rest = [index for index in range(len(view.document.sentences)) if index not in near]
    return [maker.shown(view, [generator.choice(rest)])] if rest else []


KNOWN: dict[str, Maker] = {
    "whole": lambda view, maker, _: maker.whole(view),
    "trimmed": lambda view, maker, generator: [trimmed(view, maker, generator)],
    "rationale": _rationales,
    "single": _single,
}
"""Ways to show an abstract that annotators have read."""
NEGATIVE: dict[str, Maker] = {
    "negative": lambda view, maker, _: maker.whole(view),
    "negative-glimpse": lambda view, maker, _: [glimpse(view, maker)],
    "negative-single": lambda view, maker, _: nearest_singly(view, maker, 1),
}
"""Ways to show an abstract that was found for a claim but is not evidence."""


@cache
def pool_of(name: str) -> ClaimPool:
    """Open a set of labelled claims; SciFact's also has the abstracts that search finds."""
    if name == "scifact":
        return open_pool(name, 20, vectors=VectorRanking())
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
    pool, maker = training_pool(name), ExampleMaker(tokenizer, max_length)
    make = KNOWN.get(way) or NEGATIVE[way]
    generator = random.Random(source)
    return [
        example
        for view in _views(pool, negative=way in NEGATIVE)
        for example in make(view, maker, generator)
    ]


def _views(pool: ClaimPool, negative: bool) -> Iterable[View]:
    for claim in pool.claims:
        yield from pool.negatives(claim, _NEGATIVES) if negative else pool.known(claim)
