"""The second reading: what is read again, and how the two readings become one label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from claimscope.errors import ConfigurationError
from claimscope.models.verifier.joint import Abstract, Verified
from claimscope.models.verifier.readings import RereadingVerifier
from claimscope.models.verifier.settings import VerifierSettings
from claimscope.types import LabelProbabilities, Score


def rereading(
    sentences: int, weight: float, least: float, sentence_weight: float = 0.0, **changes: Any
) -> VerifierSettings:
    return VerifierSettings(
        reread=sentences,
        reread_weight=weight,
        reread_least=least,
        reread_sentence_weight=sentence_weight,
        **{"stance_weight": 1.0, **changes},
    )


LONG = Abstract("a claim", "a title", ("one", "two", "three", "four"))
SCORES = (Score(0.1, 0.1), Score(0.9, 0.9), Score(0.2, 0.2), Score(0.8, 0.8))


ALONE = {
    "one": LabelProbabilities(0.1, 0.1, 0.8),
    "two": LabelProbabilities(0.3, 0.1, 0.6),
    "three": LabelProbabilities(0.1, 0.8, 0.1),
    "four": LabelProbabilities(0.8, 0.1, 0.1),
}


class Listening:
    """A verifier that is unsure of whole abstracts and knows single sentences."""

    def __init__(self, evidence: float = 0.5) -> None:
        self.evidence = evidence
        self.read: list[Abstract] = []

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        self.read += abstracts
        return [self._one(each) for each in abstracts]

    def _one(self, abstract: Abstract) -> Verified:
        if len(abstract.sentences) == 1:
            return Verified(ALONE[abstract.sentences[0]], (Score(0.5, 0.5),))
        half = self.evidence / 2
        return Verified(LabelProbabilities(half, half, 1 - self.evidence), SCORES)


def alone(sentence: str) -> Abstract:
    return Abstract("a claim", "a title", (sentence,))


def reread(
    verifier: Listening, weight: float = 0.5, sentence_weight: float = 0.0, sentences: int = 2
) -> Verified:
    settings = rereading(sentences, weight, 0.1, sentence_weight)
    [found] = RereadingVerifier(verifier, settings).verify([LONG])
    return found


def test_the_best_sentences_are_read_again_each_by_itself() -> None:
    verifier = Listening()
    reread(verifier)
    assert verifier.read == [LONG, alone("two"), alone("four")]


def test_a_single_sentence_is_read_once() -> None:
    one = alone("two")
    verifier = Listening()
    RereadingVerifier(verifier, rereading(2, 1.0, 0.1)).verify([one])
    assert verifier.read == [one]


def test_without_a_weight_the_scores_stay_and_the_best_sentence_has_its_say() -> None:
    found = reread(Listening())
    assert found.sentences == SCORES
    # The geometric means of the two readings: 0.25 and 0.3, 0.25 and 0.1, 0.5 and 0.6.
    roots = [(0.25 * 0.3) ** 0.5, (0.25 * 0.1) ** 0.5, (0.5 * 0.6) ** 0.5]
    assert found.labels.supports == pytest.approx(roots[0] / sum(roots))
    assert found.labels.not_enough_info == pytest.approx(roots[2] / sum(roots))


def test_scores_are_averaged_as_log_odds_and_the_surest_of_both_readings_has_its_say() -> None:
    found = reread(Listening(), weight=1.0, sentence_weight=0.5)
    # Odds of 9 and 2/3, and of 4 and 9; the others are read once.
    wanted = [0.1, _chance((9 * 2 / 3) ** 0.5), 0.2, _chance((4 * 9) ** 0.5)]
    assert [score.raw for score in found.sentences] == pytest.approx(wanted)
    assert [score.probability for score in found.sentences] == pytest.approx(wanted)
    assert found.labels.supports == pytest.approx(0.8)


def test_more_sentences_than_there_are_are_all_of_them() -> None:
    verifier = Listening()
    found = reread(verifier, weight=1.0, sentence_weight=1.0, sentences=9)
    assert len(verifier.read) == 5
    assert [score.raw for score in found.sentences] == pytest.approx([0.2, 0.4, 0.9, 0.9])


def _chance(odds: float) -> float:
    return odds / (1 + odds)


def test_the_weight_goes_from_one_reading_to_the_other() -> None:
    assert reread(Listening(), 0.0).labels.supports == pytest.approx(0.25)
    assert reread(Listening(), 1.0).labels.supports == pytest.approx(0.3)


def test_a_hopeless_abstract_or_a_single_sentence_is_read_once() -> None:
    hopeless = Listening(evidence=0.05)
    assert reread(hopeless).labels.supports == pytest.approx(0.025)
    assert hopeless.read == [LONG]
    single = Listening()
    RereadingVerifier(single, rereading(4, 0.5, 0.1)).verify([alone("two")])
    assert single.read == [alone("two")]


def test_temperature_and_bias_act_on_both_readings_together() -> None:
    cold = RereadingVerifier(Listening(), rereading(2, 1.0, 0.1, temperature=0.5))
    [found] = cold.verify([LONG])
    assert found.labels.supports == pytest.approx(0.09 / (0.09 + 0.01 + 0.36))
    moved = RereadingVerifier(Listening(), rereading(2, 1.0, 0.1, bias=(-100.0, 0.0, 0.0)))
    [found] = moved.verify([LONG])
    assert found.labels.supports == pytest.approx(0.0, abs=1e-9)


class Telling(Listening):
    """A stance classifier, which takes every sentence for a refutation, "four" most of all."""

    def _one(self, abstract: Abstract) -> Verified:
        refutes = 0.9 if abstract.sentences == ("four",) else 0.6
        return Verified(LabelProbabilities(1 - refutes, refutes, 0.0), (Score(0.5, 0.5),))


def told(settings: VerifierSettings, abstract: Abstract = LONG) -> tuple[Verified, list[Abstract]]:
    stances = Telling()
    [found] = RereadingVerifier(Listening(), settings, stances=stances).verify([abstract])
    return found, stances.read


def test_a_second_network_tells_support_from_refutation_and_leaves_evidence_alone() -> None:
    settings = rereading(2, 1.0, 0.1, 0.5)
    plain = reread(Listening(), weight=1.0, sentence_weight=0.5)
    found, read = told(settings)
    assert read == [alone("four")]
    assert found.labels.not_enough_info == pytest.approx(plain.labels.not_enough_info)
    assert found.labels.refutes == pytest.approx(0.9 * (1 - plain.labels.not_enough_info))
    assert found.sentences == plain.sentences


def test_half_of_the_say_is_the_mean_of_the_log_odds() -> None:
    found, _ = told(rereading(2, 1.0, 0.1, 0.5, stance_weight=0.5))
    # Odds of 8 for, by the first network, and of 9 against.
    assert found.labels.supports / found.labels.refutes == pytest.approx((8 / 9) ** 0.5)


def test_sentences_count_as_they_are_likely_to_be_evidence() -> None:
    found, read = told(rereading(2, 1.0, 0.1, 0.0, stance_sentences=2))
    assert read == [alone("two"), alone("four")]
    # Scores of 0.9 and 0.8, odds against of 1.5 and 9.
    wanted = (1.5**0.9 * 9**0.8) ** (1 / 1.7)
    assert found.labels.refutes / found.labels.supports == pytest.approx(wanted)


def test_the_stance_of_a_single_sentence_is_told_and_of_a_hopeless_abstract_is_not() -> None:
    found, read = told(rereading(2, 1.0, 0.1), alone("four"))
    assert read == [alone("four")]
    assert found.labels.refutes == pytest.approx(0.9 * 0.9)
    assert told(rereading(2, 1.0, 0.6))[1] == []


def test_scores_that_are_no_probabilities_are_refused() -> None:
    class Bare(Listening):
        def _one(self, abstract: Abstract) -> Verified:
            found = super()._one(abstract)
            return replace(found, sentences=tuple(Score(each.raw) for each in found.sentences))

    assert reread(Bare()).labels.supports > 0
    with pytest.raises(ConfigurationError, match="set reread_sentence_weight and"):
        reread(Bare(), sentence_weight=0.5)
