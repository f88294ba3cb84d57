"""Pairs of claim and sentence from PubMed: supports and refutations by edits, silence by topic."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from claimscope.train.verifier.pairs import Pair, Target
from claimscope.train.weak.balanced import balanced
from claimscope.train.weak.claims import Found, Origin, claims_of, strip_openings
from claimscope.train.weak.papers import Neighbours
from claimscope.train.weak.words import content, overlap
from claimscope.types import Document

_KEPT_OF_SELF = 0.45
"""Share of claims kept that only their own sentence bears out; they are many and easy."""
_SILENT = 0.38
"""Share of pairs whose claim is also shown a sentence that says nothing of it."""
_UNRELATED = 0.35


def abstract_pairs(papers: Sequence[Document], generator: random.Random) -> Iterator[Pair]:
    """Make the pairs of all papers."""
    neighbours = Neighbours(papers)
    for place, paper in enumerate(papers):
        for found in claims_of(paper):
            if found.origin is Origin.SELF and generator.random() >= _KEPT_OF_SELF:
                continue
            for pair in _edited(paper, found, generator):
                yield pair
                if generator.random() < _SILENT:
                    silent = _silent_sentence(
                        pair.claim, found.sentence, place, papers, neighbours, generator
                    )
                    if silent:
                        yield Pair(pair.claim, silent, Target.NOT_ENOUGH_INFO, paper.id)


def _edited(paper: Document, found: Found, generator: random.Random) -> list[Pair]:
    sentence = paper.sentences[found.sentence]
    shown = strip_openings(sentence) if generator.random() < 0.5 else sentence
    all_four = found.origin is not Origin.SELF
    return balanced(found.claim, shown, paper.id, generator, all_four=all_four)


def _silent_sentence(
    claim: str,
    source: int,
    place: int,
    papers: Sequence[Document],
    neighbours: Neighbours,
    generator: random.Random,
) -> str | None:
    """Find a sentence of the same paper on something else, or the nearest of a similar paper."""
    own = content(claim)
    if generator.random() < 0.5:
        sentences = enumerate(papers[place].sentences)
        free = [
            text
            for number, text in sentences
            if number != source and overlap(own, content(text)) < _UNRELATED
        ]
        return generator.choice(free) if free else None
    near = [text for paper in neighbours.of(place) for text in paper.sentences if len(text) > 40]
    return max(near, key=lambda text: overlap(own, content(text)), default=None)
