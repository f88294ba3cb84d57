"""A second reading: the sentences that look like evidence are read again by themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimscope.models.joint import Abstract, JointVerifier, Verified
from claimscope.types import LabelProbabilities

_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class Rereading:
    """What is read again, and how much that counts."""

    sentences: int
    """How many of the best sentences are read again."""
    weight: float
    """Share of the second reading in the label, from 0 to 1; the rest is the first one's."""
    least: float
    """An abstract whose p(supports) + p(refutes) is below this is not read again."""


class RereadingVerifier:
    """Verifies with a verifier, then verifies its best sentences as an abstract of their own.

    In a whole abstract most sentences are silent, and telling support from refutation suffers from
    it; alone, the sentences that were chosen are read as sharply as in training on pairs. The
    labels of the two readings are averaged as logarithms of probabilities, divided by the
    temperature, and moved by the biases of supports, refutes and neither.
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
        """Verify abstracts; the scores of the sentences are those of the first reading."""
        first = self._verifier.verify(abstracts)
        again = [place for place, result in enumerate(first) if self._is_hopeful(result)]
        shown = [self._best(abstracts[place], first[place]) for place in again]
        second = dict(zip(again, self._verifier.verify(shown) if shown else (), strict=True))
        return [
            replace(result, labels=self._labels(result, second.get(place, result)))
            for place, result in enumerate(first)
        ]

    def _labels(self, first: Verified, second: Verified) -> LabelProbabilities:
        weight = self._settings.weight
        pairs = zip(_logarithms(first.labels), _logarithms(second.labels), strict=True)
        rows = [(1 - weight) * one + weight * other for one, other in pairs]
        scaled = [row / self._temperature + b for row, b in zip(rows, self._bias, strict=True)]
        highest = max(scaled)
        shares = [math.exp(row - highest) for row in scaled]
        supports, refutes, neither = (share / sum(shares) for share in shares)
        return LabelProbabilities(supports, refutes, neither)

    def _is_hopeful(self, result: Verified) -> bool:
        evidence = result.labels.supports + result.labels.refutes
        return len(result.sentences) > self._settings.sentences and evidence >= self._settings.least

    def _best(self, abstract: Abstract, result: Verified) -> Abstract:
        order = sorted(
            range(len(result.sentences)), key=lambda index: (-result.sentences[index].raw, index)
        )
        kept = sorted(order[: self._settings.sentences])
        return replace(abstract, sentences=tuple(abstract.sentences[index] for index in kept))


def _logarithms(labels: LabelProbabilities) -> tuple[float, float, float]:
    """Give the logarithms of the probabilities of supports, refutes and neither."""
    values = (labels.supports, labels.refutes, labels.not_enough_info)
    supports, refutes, neither = (math.log(max(value, _LEAST)) for value in values)
    return supports, refutes, neither
