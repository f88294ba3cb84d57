"""The prior of evidence from how well a document was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.models.verifier.settings import RelevancePrior, shares
from claimscope.types import Candidate, Document, LabelProbabilities, Score

UNIT = st.floats(0.001, 0.999)


@given(UNIT, UNIT, UNIT, st.floats(0, 12), UNIT)
def test_probabilities_stay_probabilities_and_stances_keep_their_proportion(
    evidence: float, stance: float, share: float, weight: float, typical: float
) -> None:
    labels = LabelProbabilities(evidence * stance, evidence * (1 - stance), 1 - evidence)
    moved = RelevancePrior(weight, typical).applied(labels, share)
    assert moved.supports + moved.refutes + moved.not_enough_info == pytest.approx(1)
    assert moved.supports * labels.refutes == pytest.approx(moved.refutes * labels.supports)
    if weight > 1e-6 and abs(share - typical) > 1e-6:
        assert (moved.not_enough_info < labels.not_enough_info) == (share > typical)


def test_a_point_of_log_odds_is_what_the_formula_says() -> None:
    even = LabelProbabilities(0.25, 0.25, 0.5)
    moved = RelevancePrior(4.0, 0.75).applied(even, 1.0)
    assert moved.not_enough_info == pytest.approx(1 / (1 + 2.718281828))
    assert RelevancePrior(4.0, 0.75).applied(even, 0.75) == even


def test_certainty_is_not_moved_and_not_broken() -> None:
    prior = RelevancePrior(8.0, 0.8)
    assert prior.applied(LabelProbabilities(0.0, 0.0, 1.0), 1.0).not_enough_info > 0.99
    assert prior.applied(LabelProbabilities(1.0, 0.0, 0.0), 0.1).supports > 0.99


def test_shares_are_of_the_best_score_and_one_for_what_was_named() -> None:
    document = Document("d", "")
    scored = [Candidate(document, {"retrieve.bm25": Score(raw)}) for raw in (8.0, 6.0, 0.0)]
    assert shares(scored) == [1.0, 0.75, 0.0]
    assert shares([Candidate(document)]) == [1.0]
    assert shares([*scored[:2], Candidate(document)], named=1.2) == [1.0, 0.75, 1.2]
    assert shares([]) == []
