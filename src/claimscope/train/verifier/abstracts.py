"""An abstract seen in parts and as a whole: each view is an item with a label of its own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.train.verifier.items import IGNORED, Item, ItemMaker
from claimscope.train.verifier.pairs import Target, target_of
from claimscope.train.weak.words import content, overlap
from claimscope.types import Document, GoldEvidence

_PART_OF_A_SET = 0.5
"""Weight of an item that shows some sentences of a rationale but no whole one."""
_NEIGHBOUR = 0.25
_GLIMPSE = 2


@dataclass(frozen=True, slots=True)
class View:
    """A claim beside an abstract, with what annotators found; None if it is no evidence."""

    claim: str
    document: Document
    gold: GoldEvidence | None
    marked: frozenset[int] = frozenset()
    """Sentences near the claim that are not its evidence."""

    @property
    def target(self) -> Target:
        """What the abstract as a whole says of the claim."""
        if self.gold is None or self.gold.label is None:
            return Target.NOT_ENOUGH_INFO
        return target_of(self.gold.label)

    @property
    def sets(self) -> list[frozenset[int]]:
        """The rationales that lie within the abstract, if it decides the claim."""
        if self.gold is None or not self.gold.decides:
            return []
        count = len(self.document.sentences)
        inside = (frozenset(i for i in each if i < count) for each in self.gold.rationales)
        return [each for each in inside if each]

    @property
    def rationale(self) -> frozenset[int]:
        """All sentences that bear evidence."""
        return frozenset().union(*self.sets)


def shown(view: View, chosen: Sequence[int], maker: ItemMaker) -> Item:
    """Show some sentences: they decide the claim if a whole rationale is among them.

    A part of a rationale keeps the label with less weight; without any, nothing is said.
    """
    inside, rationale = frozenset(chosen), view.rationale
    target, weight = Target.NOT_ENOUGH_INFO, 1.0
    if any(each <= inside for each in view.sets):
        target = view.target
    elif inside & rationale:
        target, weight = view.target, _PART_OF_A_SET
    stances = [_stance(view, index) for index in chosen]
    sentences = [view.document.sentences[index] for index in chosen]
    return maker.item(view.claim, view.document.title, sentences, target, stances, weight)


def _stance(view: View, index: int) -> int:
    """Give what a sentence says; nothing is learnt from one that only supplements evidence."""
    if index in view.rationale:
        return view.target
    return IGNORED if view.sets and index in view.marked else Target.NOT_ENOUGH_INFO


def whole(view: View, maker: ItemMaker) -> list[Item]:
    """Show everything, in as many windows as it needs."""
    return [shown(view, chosen, maker) for chosen in maker.windows(view.claim, view.document)]


def trimmed(view: View, maker: ItemMaker, generator: random.Random) -> Item:
    """Show two to five sentences in their order, with a whole rationale if there is one."""
    sets = view.sets
    must = generator.choice(sets) if sets else frozenset()
    free = [index for index in range(len(view.document.sentences)) if index not in must]
    size = min(len(free), max(0, generator.randint(2, 5) - len(must)))
    return shown(view, sorted(must | set(generator.sample(free, size))), maker)


def glimpse(view: View, maker: ItemMaker) -> Item:
    """Show the sentences of an abstract that share most words with the claim, in their order.

    For an abstract that is no evidence these look most like it, and cost a third of the whole.
    """
    return shown(view, sorted(_nearest(view)[:_GLIMPSE]), maker)


def nearest_singly(view: View, maker: ItemMaker, count: int) -> list[Item]:
    """Show the sentences that share most words with the claim, each by itself."""
    return [shown(view, [index], maker) for index in _nearest(view)[:count]]


def _nearest(view: View) -> list[int]:
    """Order the sentences by the words they share with the claim, most first."""
    said = content(view.claim)
    sentences = view.document.sentences
    shared = [overlap(said, content(sentence)) for sentence in sentences]
    return sorted(range(len(sentences)), key=lambda index: -shared[index])


def short(
    view: View, maker: ItemMaker, generator: random.Random, plain: int, singly: bool = False
) -> list[Item]:
    """Show each rationale alone, some with a neighbour, and a few single sentences that bear none.

    The same weights then serve for single sentences and for a second reading of chosen ones. If
    asked, the sentences of a rationale of several are also shown singly, as they are then read.
    """
    chosen: list[list[int]] = []
    last = len(view.document.sentences) - 1
    for each in view.sets:
        chosen.append(sorted(each))
        beside = [i for i in (min(each) - 1, max(each) + 1) if 0 <= i <= last and i not in each]
        if beside and generator.random() < _NEIGHBOUR:
            chosen.append(sorted([*each, generator.choice(beside)]))
        if singly and len(each) > 1:
            chosen += [[index] for index in sorted(each)]
    near = sorted(index for index in view.marked if index <= last)
    if near and not view.sets:
        chosen.append(near)
    bearing = view.rationale | view.marked
    rest = [index for index in range(last + 1) if index not in bearing]
    chosen += [[index] for index in generator.sample(rest, min(plain, len(rest)))]
    return [shown(view, each, maker) for each in chosen]
