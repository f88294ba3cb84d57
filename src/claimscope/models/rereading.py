"""A second reading: the sentences that look like evidence are read again, each by itself."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from claimscope.errors import ConfigurationError
from claimscope.models.joint import Abstract, JointVerifier, Verified
from claimscope.types import LabelProbabilities, Score

_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class Rereading:
    """What is read again, and how much that counts."""

    sentences: int
    """How many of the best sentences are read again, each by itself."""
    weight: float
    """Share of the second reading in the label, from 0 to 1; the rest is the first one's."""
    least: float
    """An abstract whose p(supports) + p(refutes) is below this is not read again."""
    sentence_weight: float = 0.0
    """Share of the second reading in the scores of the sentences, from 0 to 1."""


class RereadingVerifier:
    """Verifies with a verifier, then verifies each of its best sentences by itself.

    In a whole abstract most sentences are silent, and telling support from refutation suffers from
    it; alone, a sentence is read as sharply as in training on pairs. The label of the sentence
    that is likeliest to be evidence joins that of the abstract: the two are averaged as logarithms
    of probabilities, divided by the temperature, and moved by the biases of supports, refutes and
    neither. The scores of a sentence in the two readings are averaged as log-odds; one that is
    read once keeps its score.
    """

    def __init__(
        self,
        verifier: JointVerifier,
        settings: Rereading,
        temperature: float = 1.0,
        bias: Sequence[float] = (),
    ) -> None:
        self._verifier = verifier
        self._settings = settings
        self._temperature = temperature
        self._bias = tuple(bias) or (0.0, 0.0, 0.0)

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        """Verify abstracts; one without hope, or of a single sentence, is read once."""
        first = self._verifier.verify(abstracts)
        again = [
            (place, index)
            for place, result in enumerate(first)
            if self._is_hopeful(result)
            for index in self._best(result)
        ]
        shown = [
            replace(abstracts[place], sentences=(abstracts[place].sentences[index],))
            for place, index in again
        ]
        second: list[dict[int, LabelProbabilities]] = [{} for _ in first]
        found = self._verifier.verify(shown) if shown else []
        for (place, index), result in zip(again, found, strict=True):
            second[place][index] = result.labels
        return [self._joined(*pair) for pair in zip(first, second, strict=True)]

    def _is_hopeful(self, result: Verified) -> bool:
        return len(result.sentences) > 1 and _evidence(result.labels) >= self._settings.least

    def _best(self, result: Verified) -> list[int]:
        order = sorted(
            range(len(result.sentences)), key=lambda index: (-result.sentences[index].raw, index)
        )
        return order[: self._settings.sentences]

    def _joined(self, first: Verified, second: Mapping[int, LabelProbabilities]) -> Verified:
        if not second:
            return replace(first, labels=self._labels(first.labels, first.labels))
        scores = list(first.sentences)
        for index, labels in second.items():
            scores[index] = self._score(scores[index], labels)
        surest = max(second, key=lambda index: scores[index].raw)
        return Verified(self._labels(first.labels, second[surest]), tuple(scores))

    def _score(self, first: Score, second: LabelProbabilities) -> Score:
        weight = self._settings.sentence_weight
        if not weight:
            return first
        if first.probability is None:
            raise ConfigurationError(
                "A verifier that gives sentences no probabilities cannot have them read again; set "
                "reread_sentence_weight in its claimscope.json to 0."
            )
        odds = (1 - weight) * _log_odds(first.probability) + weight * _log_odds(_evidence(second))
        value = 1 / (1 + math.exp(-odds))
        return Score(value, value)

    def _labels(self, first: LabelProbabilities, second: LabelProbabilities) -> LabelProbabilities:
        weight = self._settings.weight
        pairs = zip(_logarithms(first), _logarithms(second), strict=True)
        rows = [(1 - weight) * one + weight * other for one, other in pairs]
        scaled = [row / self._temperature + b for row, b in zip(rows, self._bias, strict=True)]
        highest = max(scaled)
        shares = [math.exp(row - highest) for row in scaled]
        supports, refutes, neither = (share / sum(shares) for share in shares)
        return LabelProbabilities(supports, refutes, neither)


def _evidence(labels: LabelProbabilities) -> float:
    return labels.supports + labels.refutes


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(kept / (1 - kept))


def _logarithms(labels: LabelProbabilities) -> tuple[float, float, float]:
    """Give the logarithms of the probabilities of supports, refutes and neither."""
    values = (labels.supports, labels.refutes, labels.not_enough_info)
    supports, refutes, neither = (math.log(max(value, _LEAST)) for value in values)
    return supports, refutes, neither
