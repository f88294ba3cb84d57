"""The pure parts of benchmarks/out_of_domain.py: labels, and accuracy of the surest decisions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.datasets.files import document_of
from claimscope.datasets.record import LabelledClaim
from claimscope.errors import FormatError
from claimscope.labels import Label
from claimscope.measures.measure import Forecast, ForecastData
from claimscope.types import Claim, GoldEvidence, LabelProbabilities

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

from transfer import figures
from transfer.material import Pair, pairs_of
from transfer.page import percent
from transfer.reading import Reading

SUPPORTS, REFUTES, SILENT = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
DOCUMENTS = {name: document_of(name, "T", ["One.", "Two.", "Three."]) for name in ("a", "b", "c")}


def reading(claim: str, gold: Label | None, supports: float, refutes: float) -> Reading:
    silent = 1 - supports - refutes
    return Reading(claim, gold, LabelProbabilities(supports, refutes, silent))


def decisions(*made: tuple[float, bool]) -> ForecastData:
    return ForecastData([Forecast.of_confidence(str(i), *each) for i, each in enumerate(made)])


def surest(data: ForecastData, coverage: float) -> float:
    found = figures.accuracy_at(data, coverage)
    assert found is not None
    return found.value


def test_a_document_that_is_cited_and_no_evidence_says_nothing() -> None:
    found = GoldEvidence(REFUTES, (frozenset({2}), frozenset({0, 2})))
    claim = LabelledClaim(Claim("c", "1"), {"b": found, "c": GoldEvidence(None)}, cited=("a", "b"))
    pairs = list(pairs_of(claim, DOCUMENTS))
    assert [(pair.document.id, pair.gold) for pair in pairs] == [
        ("a", SILENT),
        ("b", REFUTES),
        ("c", None),
    ]
    assert [pair.sentences for pair in pairs] == [frozenset(), {0, 2}, frozenset()]


def test_a_document_that_is_not_there_is_refused() -> None:
    claim = LabelledClaim(Claim("c", "1"), {}, cited=("z",))
    with pytest.raises(FormatError, match="document z"):
        list(pairs_of(claim, DOCUMENTS))


def test_a_shortened_pair_has_its_gold_sentences_in_order() -> None:
    pair = Pair(Claim("c"), DOCUMENTS["a"], SUPPORTS, frozenset({2, 0})).shortened
    assert (pair.document.title, pair.document.sentences) == ("", ("One.", "Three."))


def test_stances_are_a_choice_of_two_over_the_pairs_that_decide() -> None:
    readings = [
        reading("1", SUPPORTS, 0.2, 0.1),
        reading("2", REFUTES, 0.2, 0.1),
        reading("3", SILENT, 0.9, 0.0),
        reading("4", None, 0.9, 0.0),
    ]
    assert [(each.gold, each.given) for each in figures.stances(readings)] == [
        (SUPPORTS, SUPPORTS),
        (REFUTES, SUPPORTS),
    ]
    assert [each.given for each in figures.decided(readings)] == [SILENT, SILENT, SUPPORTS]


def test_the_judges_own_decision_counts_with_its_own_probability() -> None:
    labels = LabelProbabilities(0.1, 0.3, 0.6, decided=REFUTES)
    [own] = figures.confidences([Reading("1", REFUTES, labels)]).forecasts
    [free] = figures.likeliest([Reading("1", REFUTES, labels)]).forecasts
    assert (own.confidence, own.correct) == (0.3, True)
    assert (free.confidence, free.correct) == (0.6, False)


def test_only_sure_labels_that_decide_count_where_errors_are_tolerated() -> None:
    readings = [
        reading("1", SUPPORTS, 0.9, 0.05),
        reading("2", SUPPORTS, 0.05, 0.8),
        reading("3", REFUTES, 0.2, 0.7),
        reading("4", SILENT, 0.01, 0.02),
        reading("5", None, 0.95, 0.0),
    ]
    found = figures.sure(readings, 0.8)
    assert [(each.claim_id, each.given) for each in found] == [("1", SUPPORTS), ("2", REFUTES)]
    assert figures.sure(readings, None) == []


def test_the_commonest_label_is_a_baseline() -> None:
    golds = [REFUTES, REFUTES, SUPPORTS, SILENT]
    answers = [figures.Answer(str(i), gold, SUPPORTS) for i, gold in enumerate(golds)]
    found = figures.majority(answers)
    assert found is not None
    assert found.value == 0.5
    assert figures.majority([]) is None


def test_pairs_of_one_claim_are_drawn_together() -> None:
    """All pairs are right on one claim and wrong on the other, so a draw gives 0, 1/2 or 1."""
    answers = [figures.Answer("1", REFUTES, REFUTES)] * 50 + [
        figures.Answer("2", REFUTES, SUPPORTS)
    ] * 50
    found = figures.accuracy(answers)
    assert found is not None
    assert (found.low, found.value, found.high) == (0.0, 0.5, 1.0)


def test_the_least_sure_fifth_is_left_out() -> None:
    made = decisions((0.5, False), (0.9, True), (0.6, False), (0.8, True), (0.7, True))
    assert surest(made, 0.8) == 0.75
    assert surest(made, 0.6) == 1.0


def test_equal_confidences_are_kept_or_left_out_together() -> None:
    made = decisions((0.9, True), (0.5, False), (0.5, False), (0.5, False))
    assert surest(made, 0.25) == 1.0
    assert surest(made, 0.5) == 0.25


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_full_coverage_is_plain_accuracy(made: list[tuple[float, bool]]) -> None:
    assert surest(decisions(*made), 1.0) == pytest.approx(sum(r for _, r in made) / len(made))


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.floats(0.05, 1)
)
def test_at_least_the_share_is_covered_by_the_surest(
    made: list[tuple[float, bool]], coverage: float
) -> None:
    ranked = sorted(made, reverse=True)
    needed = next(k for k in range(1, len(made) + 1) if k >= coverage * len(made) - 1e-9)
    kept = [right for confidence, right in ranked if confidence >= ranked[needed - 1][0]]
    assert surest(decisions(*made), coverage) == pytest.approx(sum(kept) / len(kept))


def test_the_document_with_most_evidence_speaks_for_its_claim() -> None:
    readings = [
        reading("1", SILENT, 0.1, 0.1),
        reading("1", REFUTES, 0.1, 0.8),
        reading("2", SILENT, 0.0, 0.0),
    ]
    spoken = figures.speakers(readings, {"1": REFUTES, "2": SILENT})
    assert [(each.claim_id, each.gold, each.labels.refutes) for each in spoken] == [
        ("1", REFUTES, 0.8),
        ("2", SILENT, 0.0),
    ]


def test_nothing_to_measure_is_a_dash() -> None:
    assert percent(figures.accuracy([])) == "–"
