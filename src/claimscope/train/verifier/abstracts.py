"""What a verifier learns from: a claim beside sentences of an abstract, with what each one says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.models.encoding import Special
from claimscope.train.verifier.network import CLASSES, Row, row_of_abstract
from claimscope.types import Document, GoldEvidence

IGNORED = -100
"""The stance of a sentence that nothing is to be learnt from."""
_CLAIM, _TITLE, _SENTENCE = 80, 48, 180
"""Longest texts in training, in tokens; a few that are longer are cut."""
_PART_OF_A_SET = 0.5
"""Weight of an example that shows some sentences of a rationale but no whole one."""

Tokens = tuple[int, ...]


class Target(IntEnum):
    """The target of a network; the first three are its classes, in the order of its outputs."""

    SUPPORTS = 0
    REFUTES = 1
    NOT_ENOUGH_INFO = 2
    NOT_SUPPORTED = 3
    """REFUTES or NOT_ENOUGH_INFO, in the sets that do not tell them apart."""


def target_of(label: Label) -> Target:
    """Give the class of a label of evidence."""
    if label.value not in CLASSES:
        raise ConfigurationError(
            f"Evidence cannot be labelled {label.value}; the verifier knows {', '.join(CLASSES)}."
        )
    return Target[label.value]


@dataclass(frozen=True, slots=True)
class Example:
    """A claim beside sentences as the network reads them, with what it should answer."""

    row: Row
    target: int
    stances: tuple[int, ...]
    """What each sentence says of the claim."""
    weight: float = 1.0

    @property
    def length(self) -> int:
        """Number of tokens."""
        return len(self.row.ids)


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
        """The label of the abstract as a whole."""
        if self.gold is None or self.gold.label is None:
            return Target.NOT_ENOUGH_INFO
        return target_of(self.gold.label)

    @property
    def decides(self) -> bool:
        """Whether the abstract supports or refutes the claim."""
        return self.gold is not None and self.gold.decides

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
        """All sentences that carry evidence."""
        return frozenset().union(*self.sets)


class ExampleMaker:
    """Makes examples from texts, and keeps the tokens of each text for its next use."""

    def __init__(self, tokenizer: Tokenizer, max_length: int) -> None:
        self._tokenizer = tokenizer
        self._special = Special.of(tokenizer)
        self._max_length = max_length
        self._kept: dict[str, Tokens] = {}

    def shown(self, view: View, chosen: Sequence[int]) -> Example:
        """Show some sentences: they decide the claim if a whole rationale is among them.

        A part of a rationale keeps the label with less weight; without any, nothing is said.
        """
        inside = frozenset(chosen)
        target, weight = Target.NOT_ENOUGH_INFO, 1.0
        if any(each <= inside for each in view.sets):
            target = view.target
        elif inside & view.rationale or (view.decides and not view.sets):
            target, weight = view.target, _PART_OF_A_SET
        stances = tuple(_stance(view, index) for index in chosen)
        sentences = [view.document.sentences[index] for index in chosen]
        row = self._row(view.claim, view.document.title, sentences)
        return Example(row, target, stances, weight)

    def whole(self, view: View) -> list[Example]:
        """Show everything, in as many windows as it needs."""
        return [self.shown(view, chosen) for chosen in self._windows(view.claim, view.document)]

    def _row(self, claim: str, title: str, sentences: Sequence[str]) -> Row:
        """Lay out an input; where it is too long, its longest sentences are cut."""
        said, named = self._tokens(claim, _CLAIM), self._tokens(title, _TITLE)
        room = self._max_length - 3 - len(said) - len(named)
        shown = fitted([self._tokens(sentence, _SENTENCE) for sentence in sentences], room)
        return row_of_abstract(said, named, shown, self._special)

    def _windows(self, claim: str, document: Document) -> list[list[int]]:
        """Give the sentences of each window an abstract needs."""
        head = 3 + len(self._tokens(claim, _CLAIM)) + len(self._tokens(document.title, _TITLE))
        windows: list[list[int]] = [[]]
        used = head
        for index, sentence in enumerate(document.sentences):
            length = len(self._tokens(sentence, _SENTENCE)) + 1
            if windows[-1] and used + length > self._max_length:
                windows.append([])
                used = head
            windows[-1].append(index)
            used += length
        return windows

    def _tokens(self, text: str, most: int) -> Tokens:
        if text not in self._kept:
            self._kept[text] = tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)
        return self._kept[text][:most]


def _stance(view: View, index: int) -> int:
    """Give what a sentence says; nothing is learnt from one that only supplements evidence.

    Nor is anything learnt from the sentences of evidence whose rationale nobody marked.
    """
    if index in view.rationale:
        return view.target
    unknown = index in view.marked if view.sets else view.decides
    return IGNORED if unknown else Target.NOT_ENOUGH_INFO


def fitted(sentences: Sequence[Tokens], room: int) -> tuple[Tokens, ...]:
    """Cut the longest sentence repeatedly until all fit with their separators."""
    cut = list(sentences)
    while (surplus := sum(len(each) + 1 for each in cut) - room) > 0 and any(cut):
        longest = max(range(len(cut)), key=lambda index: len(cut[index]))
        cut[longest] = cut[longest][: max(0, len(cut[longest]) - min(surplus, 20))]
    return tuple(cut)
