from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.measures import evaluate, parse_measure, scifact_measures
from claimscope.measures.evidence import judge
from claimscope.measures.measure import EvidenceData, PredictedEvidence
from claimscope.types import GoldEvidence

from .strategies import evidence_data

_ALL = [*scifact_measures(), *scifact_measures(repository=True)]


def _gold(*rationales: set[int], label: Label = Label.SUPPORTS) -> GoldEvidence:
    return GoldEvidence(label, tuple(map(frozenset, rationales)))


def _one(gold: GoldEvidence, *sentences: int, label: Label = Label.SUPPORTS) -> EvidenceData:
    return EvidenceData({"c": {"d": gold}}, {"c": {"d": PredictedEvidence(label, sentences)}})


def _of(name: str, data: EvidenceData) -> float:
    return evaluate(parse_measure(name), data)


def test_a_sentence_counts_only_with_its_partners() -> None:
    data = _one(_gold({2, 5}, {7}), 2, 7)
    assert _of("sentence-selection P", data) == 1 / 2
    assert _of("sentence-selection R", data) == 1 / 3


def test_a_wrong_label_keeps_only_the_selection() -> None:
    data = _one(_gold({2}), 2, label=Label.REFUTES)
    assert _of("sentence-selection F1", data) == 1
    assert _of("sentence-label F1", data) == 0
    assert _of("abstract-label-only F1", data) == 0
    assert _of("abstract-rationalized F1", data) == 0
    assert _of("abstract-selection F1", data) == 1


def test_only_the_first_three_sentences_are_read_for_the_abstract() -> None:
    fourth = _one(_gold({9}), 1, 2, 3, 9)
    assert _of("abstract-rationalized F1", fourth) == 0
    assert _of("sentence-selection R", fourth) == 1
    assert _of("abstract-rationalized F1", _one(_gold({9}), 9, 1, 2, 3)) == 1


def test_a_gold_set_of_four_is_attainable_on_the_leaderboard_only() -> None:
    data = _one(_gold({1, 2, 3, 4}), 1, 2, 3, 4)
    assert _of("abstract-rationalized F1", data) == 1
    assert _of("repository-abstract-rationalized F1", data) == 0
    both = _one(_gold({1, 2, 3, 4}, {8}), 1, 2, 3, 4)
    assert _of("abstract-rationalized F1", both) == 0, "the smallest set has one sentence"


def test_a_sentence_listed_twice_is_predicted_twice() -> None:
    data = _one(_gold({2}), 2, 2)
    assert _of("sentence-selection P", data) == 1 / 2
    assert _of("sentence-selection R", data) == 1


def test_documents_that_are_no_evidence_lower_precision() -> None:
    gold = {"c": {"d": _gold({2})}, "none": {}}
    extra = {"c": {"d": PredictedEvidence(Label.SUPPORTS, (2,))}}
    extra["none"] = {"x": PredictedEvidence(Label.SUPPORTS, (0, 1))}
    data = EvidenceData(gold, extra)
    assert _of("abstract-label-only P", data) == 1 / 2
    assert _of("abstract-selection P", data) == 1 / 2
    assert _of("abstract-selection R", data) == 1
    assert _of("sentence-selection P", data) == 1 / 3


def test_gold_documents_that_do_not_decide_are_no_evidence() -> None:
    gold = {"c": {"d": _gold({2}), "e": GoldEvidence(Label.NOT_ENOUGH_INFO)}}
    data = EvidenceData(gold, {"c": {"d": PredictedEvidence(Label.SUPPORTS, (2,))}})
    assert _of("abstract-label-only F1", data) == 1


def test_a_document_predicted_nei_is_refused_or_skipped() -> None:
    data = _one(_gold({2}), 2, label=Label.NOT_ENOUGH_INFO)
    with pytest.raises(InputError, match="'d' of claim 'c' is predicted NOT_ENOUGH_INFO"):
        _of("abstract-label-only F1", data)
    assert _of("repository-abstract-label-only P", data) == 0


def test_predictions_for_unknown_claims_are_refused() -> None:
    with pytest.raises(InputError, match=r"for 1 claims .* such as 'other'"):
        _of("sentence-label F1", EvidenceData({"c": {}}, {"other": {}}))


def test_overlapping_gold_sets_are_refused() -> None:
    with pytest.raises(InputError, match="two gold rationales"):
        _of("sentence-label F1", _one(_gold({1, 2}, {2}), 2))


def test_an_outcome_tells_what_was_read_and_credited() -> None:
    outcome = judge(PredictedEvidence(Label.SUPPORTS, (4, 5, 6, 9)), _gold({4, 5}, {9, 1}), False)
    assert outcome.read == 3
    assert outcome.credited == {4, 5}
    assert outcome.rationale_found


@given(evidence_data)
def test_all_values_lie_between_0_and_1(data: EvidenceData) -> None:
    assert all(0 <= evaluate(measure, data) <= 1 for measure in _ALL)


@given(evidence_data)
def test_the_order_of_claims_does_not_matter(data: EvidenceData) -> None:
    turned = EvidenceData(
        dict(reversed(data.gold.items())), dict(reversed(data.predictions.items()))
    )
    for measure in _ALL:
        assert evaluate(measure, turned) == pytest.approx(evaluate(measure, data))


@given(evidence_data)
def test_a_perfect_prediction_scores_1(data: EvidenceData) -> None:
    perfect = {
        claim: {
            name: PredictedEvidence(
                each.label or Label.SUPPORTS,
                tuple(s for r in sorted(each.rationales, key=len) for s in sorted(r)),
            )
            for name, each in documents.items()
        }
        for claim, documents in data.gold.items()
    }
    if any(data.gold.values()):
        for measure in scifact_measures():
            assert evaluate(measure, replace(data, predictions=perfect)) == pytest.approx(1)


@given(evidence_data)
def test_no_prediction_scores_0(data: EvidenceData) -> None:
    for measure in _ALL:
        assert evaluate(measure, replace(data, predictions={})) == 0


@given(evidence_data)
def test_the_stricter_measure_is_never_higher(data: EvidenceData) -> None:
    for part in ("P", "R", "F1"):
        assert _of(f"abstract-rationalized {part}", data) <= _of(
            f"abstract-label-only {part}", data
        )
        assert _of(f"sentence-label {part}", data) <= _of(f"sentence-selection {part}", data)
