"""The joint verifier on ONNX Runtime: a small encoder that labels abstracts and their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from claimscope.errors import ConfigurationError
from claimscope.models.batching import padded, run_in_batches
from claimscope.models.checkpoint import Checkpoint
from claimscope.models.encoding import prepare
from claimscope.models.joint import Abstract, Verified
from claimscope.models.onnx_pairs import open_session
from claimscope.models.scorer import Matrix, probabilities
from claimscope.models.settings import Progress, Settings
from claimscope.models.stances import THREE, label_order, stance
from claimscope.models.windows import Window, WindowEncoder
from claimscope.types import Score

INPUTS = ("ids", "segments", "mask", "pooling")
"""Token ids, segments and mask [batch, tokens]; pooling [batch, sentences, tokens], whose rows
average the tokens of a sentence."""
OUTPUTS = ("label", "sentence")
"""Logits [batch, 3] for the abstract and [batch, sentences, 3] for each sentence."""


class OnnxJointVerifier:
    """Verifies abstracts with model.onnx and tokenizer.json of a folder.

    The network gives a label for the abstract and one for each sentence. An abstract longer than a
    window is labelled by the window with most evidence, a sentence by its best piece.
    """

    def __init__(
        self,
        folder: Path,
        checkpoint: Checkpoint,
        settings: Settings,
        progress: Progress | None = None,
    ) -> None:
        self._settings, self._progress = settings, progress
        self._session = open_session(folder / "model.onnx", settings)
        self._order = label_order(checkpoint.labels, THREE)
        self._silent = [label.value for label in self._order].index("NOT_ENOUGH_INFO")
        self._temperature = checkpoint.temperature
        self._bias = np.array(checkpoint.bias or (0.0,) * len(self._order))
        tokenizer = prepare(Tokenizer.from_file(str(folder / "tokenizer.json")))
        self._padding = _token(tokenizer, "[PAD]")
        start, separator = _token(tokenizer, "[CLS]"), _token(tokenizer, "[SEP]")
        self._encoder = WindowEncoder(tokenizer, start, separator, checkpoint.max_length)

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Label abstracts and score their sentences."""
        windows = [self._encoder.encode(each) for each in abstracts]
        results = iter(
            run_in_batches(
                [window for each in windows for window in each],
                lambda window: len(window.ids),
                self._run,
                self._settings.batch_size,
                self._progress,
            )
        )
        return [
            self._combined(abstract, each, [next(results) for _ in each])
            for abstract, each in zip(abstracts, windows, strict=True)
        ]

    def _run(self, batch: Sequence[Window]) -> list[tuple[Matrix, Matrix]]:
        inputs = {
            "ids": padded([window.ids for window in batch], self._padding),
            "segments": padded([window.segments for window in batch], 0),
            "mask": padded([[1] * len(window.ids) for window in batch], 0),
            "pooling": _pooling(batch),
        }
        labels, sentences = self._session.run(list(OUTPUTS), inputs)
        return [
            (label.astype(float), rows[: len(window.spans)].astype(float))
            for label, rows, window in zip(labels, sentences, batch, strict=True)
        ]

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


def _token(tokenizer: Tokenizer, name: str) -> int:
    number = tokenizer.token_to_id(name)
    if number is None:
        raise ConfigurationError(
            f"The verifier's tokenizer.json has no token {name}; use the file it was trained with."
        )
    return int(number)


def _pooling(batch: Sequence[Window]) -> NDArray[np.float32]:
    most = max(len(window.spans) for window in batch)
    width = max(len(window.ids) for window in batch)
    pooling = np.zeros((len(batch), most, width), dtype=np.float32)
    for row, window in enumerate(batch):
        for number, (start, end) in enumerate(window.spans):
            pooling[row, number, start:end] = 1.0 / (end - start)
    return pooling
