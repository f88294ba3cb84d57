"""The joint verifier on ONNX Runtime: a small encoder that labels abstracts and their sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.models.encoding import Special, prepare
from claimscope.models.locate import Found
from claimscope.models.onnx_pairs import open_session
from claimscope.models.scorer import Matrix, probabilities
from claimscope.models.settings import Progress, Settings
from claimscope.models.stances import THREE, label_order, stance
from claimscope.models.verifier.joint import Abstract, Verified
from claimscope.models.verifier.windows import Window, WindowEncoder
from claimscope.types import Score

MODEL, STANCE = "model.onnx", "stance.onnx"
"""The network that finds evidence, and one of the same form that tells what evidence says."""
INPUTS = ("ids", "segments", "mask", "pooling")
"""Token ids, segments and mask [batch, tokens]; pooling [batch, sentences, tokens], whose rows
average the tokens of a sentence."""
OUTPUTS = ("label", "sentence")
"""Logits [batch, 3] for the abstract and [batch, sentences, 3] for each sentence."""


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
        self._temperature = checkpoint.temperature
        self._bias = np.array(checkpoint.bias or (0.0,) * len(self._order))
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
        labels = probabilities(logits / self._temperature + self._bias)
        best = int(np.argmin(labels[:, self._silent]))
        scores = [Score(-np.inf, 0.0)] * len(abstract.sentences)
        for window, (_, rows) in zip(windows, results, strict=True):
            evidence = 1.0 - probabilities(rows)[:, self._silent]
            for index, value in zip(window.sentences, evidence.tolist(), strict=True):
                if value > scores[index].raw:
                    scores[index] = Score(value, value)
        return Verified(stance(labels[best].tolist(), self._order), tuple(scores))


def _pooling(window: Window) -> NDArray[np.float32]:
    pooling = np.zeros((1, len(window.spans), len(window.ids)), dtype=np.float32)
    for number, (start, end) in enumerate(window.spans):
        pooling[0, number, start:end] = 1.0 / (end - start)
    return pooling
