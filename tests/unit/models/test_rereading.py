"""The second reading: what is read again, and how the two readings become one label."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimscope.models.joint import Abstract, Verified
from claimscope.models.rereading import Rereading, RereadingVerifier
from claimscope.types import LabelProbabilities, Score

LONG = Abstract("a claim", "a title", ("one", "two", "three", "four"))
SCORES = (Score(0.1), Score(0.9), Score(0.2), Score(0.8))


class Listening:
    """A verifier that is unsure of whole abstracts and sure of chosen sentences."""

    def __init__(self, evidence: float = 0.5) -> None:
        self.evidence = evidence
        self.read: list[Abstract] = []

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        self.read += abstracts
        return [self._one(each) for each in abstracts]

    def _one(self, abstract: Abstract) -> Verified:
        if len(abstract.sentences) < len(LONG.sentences):
            return Verified(LabelProbabilities(0.8, 0.1, 0.1), (Score(0.5),) * 2)
        half = self.evidence / 2
        return Verified(LabelProbabilities(half, half, 1 - self.evidence), SCORES)


def reread(verifier: Listening, weight: float = 0.5) -> Verified:
    [found] = RereadingVerifier(verifier, Rereading(2, weight, 0.1)).verify([LONG])
    return found


def test_the_best_sentences_are_read_again_in_their_order() -> None:
    verifier = Listening()
    found = reread(verifier)
    assert verifier.read == [LONG, Abstract("a claim", "a title", ("two", "four"))]
    assert found.sentences == SCORES
    # The geometric means of the two readings: 0.25 and 0.8, 0.25 and 0.1, 0.5 and 0.1.
    roots = [(0.25 * 0.8) ** 0.5, (0.25 * 0.1) ** 0.5, (0.5 * 0.1) ** 0.5]
    assert found.labels.supports == pytest.approx(roots[0] / sum(roots))
    assert found.labels.not_enough_info == pytest.approx(roots[2] / sum(roots))


def test_the_weight_goes_from_one_reading_to_the_other() -> None:
    assert reread(Listening(), 0.0).labels.supports == pytest.approx(0.25)
    assert reread(Listening(), 1.0).labels.supports == pytest.approx(0.8)


def test_a_hopeless_or_short_abstract_is_read_once() -> None:
    hopeless = Listening(evidence=0.05)
    assert reread(hopeless).labels.supports == pytest.approx(0.025)
    assert hopeless.read == [LONG]
    short = Listening()
    RereadingVerifier(short, Rereading(4, 0.5, 0.1)).verify([LONG])
    assert short.read == [LONG]


def test_temperature_and_bias_act_on_both_readings_together() -> None:
    cold = RereadingVerifier(Listening(), Rereading(2, 1.0, 0.1), 0.5, (0.0, 0.0, 0.0))
    [found] = cold.verify([LONG])
    assert found.labels.supports == pytest.approx(0.64 / (0.64 + 0.01 + 0.01))
    moved = RereadingVerifier(Listening(), Rereading(2, 1.0, 0.1), 1.0, (-100.0, 0.0, 0.0))
    [found] = moved.verify([LONG])
    assert found.labels.supports == pytest.approx(0.0, abs=1e-9)
