"""Lays a claim, a title and sentences out in windows a small encoder can read whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from claimscope.models.encoding import too_long
from claimscope.models.verifier.joint import Abstract

_LEAST_ROOM = 32
"""Tokens that must be left for sentences beside claim and title."""


@dataclass(frozen=True, slots=True)
class Window:
    """`[CLS] claim [SEP] title [SEP] sentence [SEP] …` as token ids."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    """0 for the claim, 1 for what is read about it."""
    sentences: tuple[int, ...]
    """Which sentences of the abstract stand in it, in order; a long one may go on in the next."""
    spans: tuple[tuple[int, int], ...]
    """Where each of them stands, its separator included."""


@dataclass(frozen=True)
class WindowEncoder:
    """Encodes abstracts; every window repeats claim and title, and nothing is left out.

    A title that leaves too little room is not read; a sentence longer than a window is read in
    pieces.
    """

    tokenizer: Tokenizer
    start: int
    separator: int
    max_length: int

    def encode(self, abstract: Abstract) -> list[Window]:
        """Encode one abstract in as many windows as it needs."""
        claim = self._ids(abstract.claim)
        title = self._ids(abstract.title)
        room = self.max_length - len(claim) - len(title) - 3
        if room < _LEAST_ROOM:
            title, room = [], room + len(title)
        if room < _LEAST_ROOM:
            raise too_long(abstract.claim, self.max_length)
        sentences = [self._ids(sentence) for sentence in abstract.sentences]
        return [self._window(claim, title, chosen) for chosen in _fill(sentences, room)]

    def _window(
        self, claim: list[int], title: list[int], chosen: Sequence[tuple[int, Sequence[int]]]
    ) -> Window:
        head = [self.start, *claim, self.separator]
        ids = [*head, *title, self.separator]
        spans = []
        for _, tokens in chosen:
            begin = len(ids)
            ids += [*tokens, self.separator]
            spans.append((begin, len(ids)))
        return Window(
            tuple(ids),
            (0,) * len(head) + (1,) * (len(ids) - len(head)),
            tuple(index for index, _ in chosen),
            tuple(spans),
        )

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)


_Chosen = list[tuple[int, Sequence[int]]]


def _fill(sentences: Sequence[Sequence[int]], room: int) -> Iterator[_Chosen]:
    """Fill windows with sentences, each with a separator, until all have been placed."""
    window: _Chosen = []
    left = room
    for index, sentence in enumerate(sentences):
        for piece in _pieces(sentence, room - 1):
            if len(piece) + 1 > left:
                yield window
                window, left = [], room
            window.append((index, piece))
            left -= len(piece) + 1
    yield window


def _pieces(sentence: Sequence[int], longest: int) -> list[Sequence[int]]:
    starts = range(0, max(len(sentence), 1), longest)
    return [sentence[start : start + longest] for start in starts]
