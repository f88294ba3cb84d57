"""Weak examples of whole abstracts: the evidence amid sentences that do not speak to the claim."""

from __future__ import annotations

import random
from collections.abc import Sequence

from claimscope.train.verifier.items import Item, ItemMaker
from claimscope.train.verifier.pairs import Pair, Target
from claimscope.train.weak.balanced import balanced
from claimscope.train.weak.claims import Found, Origin, claims_of, strip_openings
from claimscope.train.weak.papers import Neighbours
from claimscope.train.weak.words import content, overlap
from claimscope.types import Document

_SILENT = Target.NOT_ENOUGH_INFO
_UNRELATED = 0.34
_SAME_TITLE = 0.4
_TRIES = 2


def abstract_items(
    papers: Sequence[Document], count: int, maker: ItemMaker, generator: random.Random
) -> list[Item]:
    """Make items of so many papers, drawn by chance."""
    neighbours = Neighbours(papers)
    items: list[Item] = []
    for place in sorted(generator.sample(range(len(papers)), min(count, len(papers)))):
        near = neighbours.of(place, 1)
        if near:
            items += items_of(papers[place], near[0], maker, generator)
    return items


def items_of(
    paper: Document, other: Document, maker: ItemMaker, generator: random.Random
) -> list[Item]:
    """Make a support, a refutation and an abstract that says nothing of one claim of a paper."""
    options = list(claims_of(paper))
    generator.shuffle(options)
    options.sort(key=lambda found: found.origin)
    for found in options[:_TRIES]:
        sentence = paper.sentences[found.sentence]
        evidence = strip_openings(sentence) if generator.random() < 0.3 else sentence
        pairs = balanced(found.claim, evidence, paper.id, generator)
        if pairs:
            free = _unrelated(paper, found)
            title = _title(paper, found)
            items = [_amid(pair, paper, found, free, title, maker, generator) for pair in pairs]
            claim = generator.choice(pairs).claim
            return items + _silent(claim, title, paper, free, other, maker, generator)
    return []


def _unrelated(paper: Document, found: Found) -> list[int]:
    own = content(found.claim)
    return [
        index
        for index, text in enumerate(paper.sentences)
        if index != found.sentence
        and overlap(own, content(text)) < _UNRELATED
        and len(text.split()) > 4
    ]


def _title(paper: Document, found: Found) -> str:
    """Give the title unless it says the claim, which an edit would make it deny."""
    told = overlap(content(paper.title), content(found.claim)) > _SAME_TITLE
    return "" if found.origin is Origin.TITLE or told else paper.title


def _amid(
    pair: Pair,
    paper: Document,
    found: Found,
    free: list[int],
    title: str,
    maker: ItemMaker,
    generator: random.Random,
) -> Item:
    size = len(free) if generator.random() < 0.4 else min(generator.randint(0, 2), len(free))
    chosen = sorted([*generator.sample(free, size), found.sentence])
    here = [index == found.sentence for index in chosen]
    texts = [
        pair.evidence if own else paper.sentences[index]
        for index, own in zip(chosen, here, strict=True)
    ]
    stances = [pair.target if own else _SILENT for own in here]
    return maker.item(pair.claim, title, texts, pair.target, stances)


def _silent(
    claim: str,
    title: str,
    paper: Document,
    free: list[int],
    other: Document,
    maker: ItemMaker,
    generator: random.Random,
) -> list[Item]:
    """Show the claim a similar paper, or what is unrelated in its own."""
    if generator.random() < 0.5:
        count = len(other.sentences)
        size = count if generator.random() < 0.5 else min(2, count)
        start = generator.randrange(count - size + 1)
        title, texts = other.title, list(other.sentences[start : start + size])
    elif free:
        chosen = sorted(generator.sample(free, min(len(free), generator.randint(1, 4))))
        texts = [paper.sentences[index] for index in chosen]
    else:
        return []
    return [maker.item(claim, title, texts, _SILENT, [_SILENT] * len(texts))]
