"""What the joint verifier learns from: a claim, a title, sentences, a target and stances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokenizers import Tokenizer

from claimscope.train.verifier.pairs import Target
from claimscope.types import Document

IGNORED = -100
"""The stance of a sentence that nothing is to be learnt from."""

_CLAIM, _TITLE, _SENTENCE = 80, 48, 180
"""Longest texts in training, in tokens; a few that are longer are cut."""

Tokens = tuple[int, ...]
Taught = tuple[tuple[float, ...], ...]
"""A teacher's logits: of the label first, then of each sentence."""


@dataclass(frozen=True, slots=True)
class Item:
    """One example as token ids; a pair is an item of one sentence without a title."""

    claim: Tokens
    title: Tokens
    sentences: tuple[Tokens, ...]
    target: int
    stances: tuple[int, ...]
    weight: float = 1.0
    taught: Taught | None = None

    @property
    def length(self) -> int:
        """How many tokens it is with its separators."""
        return 3 + len(self.claim) + len(self.title) + sum(len(s) + 1 for s in self.sentences)


def without_stance(item: Item) -> Item:
    """Give an item from which only evidence is learnt, not what it says."""
    return replace(
        item, target=_decided(item.target), stances=tuple(_decided(each) for each in item.stances)
    )


def is_decided(item: Item) -> bool:
    """Say whether an item supports or refutes its claim."""
    return item.target in (Target.SUPPORTS, Target.REFUTES)


def _decided(target: int) -> int:
    return Target.DECIDED if target in (Target.SUPPORTS, Target.REFUTES) else target


class ItemMaker:
    """Makes items of texts; the tokens of a text are kept, since texts come again and again."""

    def __init__(self, tokenizer: Tokenizer, max_length: int) -> None:
        self._tokenizer = tokenizer
        self._max_length = max_length
        self._kept: dict[str, Tokens] = {}

    def item(
        self,
        claim: str,
        title: str,
        sentences: Sequence[str],
        target: int,
        stances: Sequence[int],
        weight: float = 1.0,
    ) -> Item:
        """Make an item; where it is too long, its longest sentences are cut."""
        said, named = self._tokens(claim, _CLAIM), self._tokens(title, _TITLE)
        room = self._max_length - 3 - len(said) - len(named)
        shown = fitted([self._tokens(sentence, _SENTENCE) for sentence in sentences], room)
        return Item(said, named, shown, target, tuple(stances), weight)

    def windows(self, claim: str, document: Document) -> list[list[int]]:
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


def fitted(sentences: Sequence[Tokens], room: int) -> tuple[Tokens, ...]:
    """Cut the longest sentence, and again, until all fit with their separators."""
    cut = list(sentences)
    while (surplus := sum(len(each) + 1 for each in cut) - room) > 0 and any(cut):
        longest = max(range(len(cut)), key=lambda index: len(cut[index]))
        cut[longest] = cut[longest][: max(0, len(cut[longest]) - min(surplus, 20))]
    return tuple(cut)
