"""The joint verifier on ONNX Runtime: a small encoder that reads an abstract in windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.models.encoding import Special, prepare, too_long
from claimscope.models.locate import Found
from claimscope.models.onnx_models import open_session
from claimscope.models.runtime import Progress, Settings
from claimscope.models.scorer import THREE, Matrix, label_order, probabilities, stance
from claimscope.models.verifier.joint import Abstract, Verified, leaning
from claimscope.types import Score

MODEL, STANCE = "model.onnx", "stance.onnx"
"""The network that finds evidence, and the stance classifier, a network of the same form."""
INPUTS = ("ids", "segments", "mask", "pooling")
"""Token ids, segments and mask [batch, tokens]; pooling [batch, sentences, tokens], whose rows
average the tokens of a sentence."""
OUTPUTS = ("label", "sentence")
"""Logits [batch, 3] for the abstract and [batch, sentences, 3] for each sentence."""
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


class OnnxJointVerifier:
    """Verifies abstracts with a network and tokenizer.json of a folder.

    The network gives a label for the abstract and one for each sentence. An abstract longer than a
    window is labelled by the window with most evidence, a sentence by its best piece.

    Windows are read one at a time: padding costs time and memory, and a result must not change with
    what is read beside it, as it would with models that round by the range of a batch.
    """

    def __init__(
        self,
        found: Found,
        settings: Settings,
        progress: Progress | None = None,
        file: str = MODEL,
    ) -> None:
        checkpoint = found.checkpoint
        self._progress = progress
        self._session = open_session(found.folder / file, settings)
        # A network of MPNet's kind has no segments.
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._order = label_order(checkpoint.labels, THREE)
        self._silent = [label.value for label in self._order].index("NOT_ENOUGH_INFO")
        tokenizer = prepare(Tokenizer.from_file(str(found.folder / "tokenizer.json")))
        special = Special.of(tokenizer)
        self._encoder = WindowEncoder(
            tokenizer, special.start, special.separator, checkpoint.max_length
        )

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Label abstracts and score their sentences."""
        results = []
        for abstract in abstracts:
            windows = self._encoder.encode(abstract)
            results.append(self._combined(abstract, windows, list(map(self._run, windows))))
            if self._progress is not None:
                self._progress(len(results), len(abstracts))
        return results

    def _run(self, window: Window) -> tuple[Matrix, Matrix]:
        inputs = {
            "ids": np.array([window.ids], dtype=np.int64),
            "segments": np.array([window.segments], dtype=np.int64),
            "mask": np.ones((1, len(window.ids)), dtype=np.int64),
            "pooling": _pooling(window),
        }
        known = {name: value for name, value in inputs.items() if name in self._inputs}
        labels, sentences = self._session.run(list(OUTPUTS), known)
        return labels[0].astype(float), sentences[0].astype(float)

    def _combined(
        self,
        abstract: Abstract,
        windows: Sequence[Window],
        results: Sequence[tuple[Matrix, Matrix]],
    ) -> Verified:
        logits = np.array([label for label, _ in results])
        labels = probabilities(logits)
        best = int(np.argmin(labels[:, self._silent]))
        scores = [Score(-np.inf, 0.0)] * len(abstract.sentences)
        leanings = [0.0] * len(abstract.sentences)
        for window, (_, rows) in zip(windows, results, strict=True):
            for index, row in zip(window.sentences, probabilities(rows).tolist(), strict=True):
                value = 1.0 - row[self._silent]
                if value > scores[index].raw:
                    scores[index] = Score(value, value)
                    leanings[index] = leaning(stance(row, self._order))
        found = stance(labels[best].tolist(), self._order)
        return Verified(found, tuple(scores), tuple(leanings))


def _pooling(window: Window) -> NDArray[np.float32]:
    pooling = np.zeros((1, len(window.spans), len(window.ids)), dtype=np.float32)
    for number, (start, end) in enumerate(window.spans):
        pooling[0, number, start:end] = 1.0 / (end - start)
    return pooling
