"""Readings that contradict each other: the whole abstract, its best sentence and its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.verifier.joint import Abstract, Verified, leaning
from claimscope.models.verifier.readings import RereadingVerifier, SecondReader
from claimscope.models.verifier.settings import VerifierSettings
from claimscope.pipeline.notices import notices
from claimscope.stages.judge.joint import LABEL_AGAINST_SENTENCE, WHOLE_AGAINST_SENTENCE, JointJudge
from claimscope.types import Candidate, Case, Claim, Document, LabelProbabilities, Score

FOR, AGAINST = LabelProbabilities(0.8, 0.1, 0.1), LabelProbabilities(0.1, 0.8, 0.1)
SLIGHTLY_FOR = LabelProbabilities(0.4, 0.38, 0.22)
PAPER = Document("d", "Ginkgo", "Ginkgo did not help. It was safe.", ((0, 20), (21, 33)))
ABSTRACT = Abstract("Ginkgo helps.", PAPER.title, PAPER.sentences)


class Reader:
    """Reads whole abstracts and single sentences as it is told."""

    def __init__(self, whole: LabelProbabilities, alone: LabelProbabilities) -> None:
        self.whole, self.alone = whole, alone

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        return [self._one(each) for each in abstracts]

    def _one(self, abstract: Abstract) -> Verified:
        if len(abstract.sentences) == 1:
            return Verified(self.alone, (Score(0.9, 0.9),), (leaning(self.alone),))
        scores = (Score(0.9, 0.9), Score(0.1, 0.1))
        return Verified(self.whole, scores, (leaning(self.whole),) * 2)


def verified(
    whole: LabelProbabilities, alone: LabelProbabilities, agreement: float | None
) -> Verified:
    settings = VerifierSettings(reread=1, reread_weight=0.2, agreement=agreement)
    [found] = RereadingVerifier(Reader(whole, alone), settings).verify([ABSTRACT])
    return found


@pytest.mark.parametrize(
    ("whole", "alone", "agreement", "expected"),
    [
        (FOR, AGAINST, 0.0, True),
        (FOR, AGAINST, 2.0, True),
        (FOR, AGAINST, 2.2, False),
        (SLIGHTLY_FOR, AGAINST, 0.5, False),
        (FOR, FOR, 0.0, False),
        (FOR, AGAINST, None, False),
    ],
)
def test_opposite_sides_of_whole_and_sentence_are_a_conflict(
    whole: LabelProbabilities,
    alone: LabelProbabilities,
    agreement: float | None,
    expected: bool,
) -> None:
    assert verified(whole, alone, agreement).in_conflict is expected


def test_a_sentence_leans_as_it_is_read_alone() -> None:
    first, second = verified(FOR, AGAINST, None).leanings
    assert first == pytest.approx(leaning(AGAINST))
    assert second == pytest.approx(leaning(FOR))


def test_the_second_reader_compares_what_both_say() -> None:
    settings = VerifierSettings(beside=0.5, agreement=0.5)
    both = SecondReader(Reader(FOR, FOR), Reader(AGAINST, AGAINST), settings)
    [found] = both.verify([ABSTRACT])
    assert found.leanings == pytest.approx((0.0, 0.0))
    assert not found.in_conflict


def judged(found: Verified) -> Candidate:
    class Single(Models):
        def verifier(self, name: str, reread: int | None = None) -> Single:
            return self

        def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
            return [found for _ in abstracts]

        def verifier_settings(self, name: str) -> VerifierSettings:
            return VerifierSettings(threshold=0.5)

    case = Case(Claim("Ginkgo helps."), (Candidate(PAPER),))
    [result] = JointJudge("any", models=Single()).run([case])
    return result.candidates[0]


FOUND = Verified(FOR, (Score(0.9, 0.9), Score(0.6, 0.6)), (1.0, 2.0))


def test_a_sentence_read_as_the_opposite_of_the_label_is_not_quoted() -> None:
    candidate = judged(replace(FOUND, leanings=(-0.1, 2.0)))
    assert candidate.label is Label.SUPPORTS
    assert [each.index for each in candidate.rationale] == [1]


def test_an_abstract_whose_sentences_all_say_the_opposite_does_not_count() -> None:
    candidate = judged(replace(FOUND, leanings=(-1.0, -2.0)))
    assert candidate.label is Label.NOT_ENOUGH_INFO
    assert candidate.rationale == ()
    assert candidate.abstained == LABEL_AGAINST_SENTENCE


def test_an_abstract_in_conflict_does_not_count_and_says_why() -> None:
    candidate = judged(replace(FOUND, in_conflict=True))
    assert candidate.label is Label.NOT_ENOUGH_INFO
    assert candidate.abstained == WHOLE_AGAINST_SENTENCE


def test_a_model_without_leanings_is_quoted_as_before() -> None:
    assert len(judged(replace(FOUND, leanings=())).rationale) == 2


def test_the_notice_names_the_paper_and_the_reason() -> None:
    candidate = judged(replace(FOUND, in_conflict=True))
    case = Case(Claim("Ginkgo helps memory."), (candidate,))
    library: list[Document] = [PAPER]
    found = notices(case, library, None, 0.0)  # type: ignore[arg-type]
    assert any("“Ginkgo” does not count: the abstract and its best" in each for each in found)
