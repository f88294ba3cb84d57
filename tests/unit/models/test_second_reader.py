"""The second reader: what it reads, and how both readers' words become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from claimscope.errors import ConfigurationError
from claimscope.models.verifier.joint import Abstract, JointVerifier, Verified
from claimscope.models.verifier.readings import SecondReader
from claimscope.models.verifier.settings import VerifierSettings
from claimscope.types import LabelProbabilities, Score

BOTH = (Abstract("a claim", "likely", ("one", "two")), Abstract("a claim", "hopeless", ("one",)))


class Reading:
    """A verifier that says the same of every abstract, but of one titled so that it is hopeless."""

    def __init__(self, labels: LabelProbabilities, score: float | None) -> None:
        self.labels = labels
        self.score = Score(0.5 if score is None else score, score)
        self.read: list[Abstract] = []

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        self.read += abstracts
        hopeless = LabelProbabilities(0.01, 0.01, 0.98)
        return [
            Verified(
                hopeless if each.title == "hopeless" else self.labels,
                (self.score,) * len(each.sentences),
            )
            for each in abstracts
        ]


def small() -> Reading:
    return Reading(LabelProbabilities(0.4, 0.1, 0.5), 0.2)


def large(score: float | None = 0.8) -> Reading:
    return Reading(LabelProbabilities(0.1, 0.4, 0.5), score)


def settings(
    weight: float, sentence_weight: float, least: float = 0.0, **changes: Any
) -> VerifierSettings:
    return VerifierSettings(
        beside=weight,
        beside_sentences=sentence_weight,
        reread_least=least,
        **changes,
    )


def read(first: JointVerifier, second: JointVerifier, *shares: float) -> list[Verified]:
    return SecondReader(first, second, settings(*shares)).verify(BOTH)


def test_both_read_the_whole_and_have_their_say() -> None:
    likely, _ = read(small(), large(), 0.5, 0.5)
    assert likely.labels.supports == pytest.approx(likely.labels.refutes)
    assert [each.raw for each in likely.sentences] == pytest.approx([0.5, 0.5])
    # Logarithms of 0.4 and 0.1 in shares of 3 to 1, the other way round for refutation.
    leaning, _ = read(small(), large(), 0.75, 0.75)
    assert leaning.labels.refutes / leaning.labels.supports == pytest.approx(4**0.5)
    assert leaning.sentences[0].probability == pytest.approx(2 / 3)


@pytest.mark.parametrize(("weight", "supports", "score"), [(0.0, 0.4, 0.2), (1.0, 0.1, 0.8)])
def test_the_weight_goes_from_one_reader_to_the_other(
    weight: float, supports: float, score: float
) -> None:
    likely, _ = read(small(), large(), weight, weight)
    assert likely.labels.supports == pytest.approx(supports)
    assert likely.sentences[0].raw == pytest.approx(score)


def test_what_is_hopeless_by_the_first_is_not_read_again() -> None:
    second = large()
    _, hopeless = read(small(), second, 0.5, 0.5, 0.1)
    assert second.read == [BOTH[0]]
    assert hopeless.sentences == (Score(0.2, 0.2),)
    assert SecondReader(small(), second, settings(0.5, 0.5)).verify([]) == []


def test_temperature_and_bias_act_on_both_together() -> None:
    both = settings(0.0, 0.0, temperature=0.5, bias=(0.0, 0.0, -100.0))
    verifier = SecondReader(small(), large(), both)
    [likely] = verifier.verify(BOTH[:1])
    assert likely.labels.supports / likely.labels.refutes == pytest.approx(16)
    assert likely.labels.not_enough_info == pytest.approx(0, abs=1e-9)


def test_scores_that_are_no_probabilities_are_refused() -> None:
    assert read(small(), large(None), 0.5, 0.0)[0].sentences[0].raw == 0.2
    with pytest.raises(ConfigurationError, match="and beside_sentences in its"):
        read(small(), large(None), 0.5, 0.5)
