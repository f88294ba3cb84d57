"""How sure a label must be: risk on the worst set, and strengths on the mean of the sets."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from claimscope.labels import Label
from claimscope.models.verifier.joint import Abstract, Verified
from claimscope.types import Document, GoldEvidence, LabelProbabilities, Score
from tests.tiny_models import REASON

pytest.importorskip("torch", reason=REASON)

from claimscope.train.verifier.abstracts import View
from recipe.scaling import NO_PRIOR, Scaling
from recipe.strength import decisions, risk_curve, strength

PLAIN = Scaling(1.0, (0.0, 0.0, 0.0))


def of(*groups: tuple[float, int, int]) -> list[tuple[float, bool]]:
    """Make decisions: so many at a probability, so many of them wrong."""
    return [
        (probability, place >= wrong)
        for probability, count, wrong in groups
        for place in range(count)
    ]


def test_a_promise_is_kept_on_the_worst_set() -> None:
    curve = dict(risk_curve({"easy": of((0.9, 40, 0)), "hard": of((0.9, 20, 10), (0.6, 20, 20))}))
    assert curve[0.9] == 0.5
    assert curve[0.6] == 0.75


def test_a_level_with_too_few_decisions_promises_nothing() -> None:
    curve = dict(risk_curve({"one": of((0.9, 40, 0)), "other": of((0.9, 19, 0), (0.7, 5, 0))}))
    assert max(curve) == 0.7


def test_strengths_are_the_lowest_levels_at_which_the_mean_of_the_sets_is_good_enough() -> None:
    sets = {
        "one": of((0.95, 40, 0), (0.8, 40, 8), (0.5, 40, 40)),
        "other": of((0.95, 40, 4), (0.8, 40, 12), (0.5, 40, 40)),
    }
    # From 0.8: 8 of 80 and 16 of 80 are wrong, 15 % on the mean; from 0.95: 0 and 4 of 40.
    assert strength(sets) == (0.51, 0.81)


def test_sets_on_which_nothing_is_good_enough_let_no_label_count() -> None:
    assert strength({"one": of((0.9, 40, 30))}) == (1.0, 1.0)


class Fixed:
    """A verifier that says the same of every abstract."""

    def verify(self, abstracts: Sequence[Abstract]) -> list[Verified]:
        return [Verified(LabelProbabilities(0.7, 0.2, 0.1), (Score(1.0, 1.0),)) for _ in abstracts]


@pytest.mark.parametrize(("label", "right"), [(Label.SUPPORTS, True), (Label.REFUTES, False)])
def test_a_label_is_right_if_it_is_gold(label: Label, right: bool) -> None:
    paper = Document("d", "t", "It helped.", ((0, 10),))
    view = View("It helps.", paper, GoldEvidence(label, (frozenset({0}),)))
    [(probability, is_right)] = decisions(Fixed(), [view], PLAIN, NO_PRIOR, 0.5)
    assert probability == pytest.approx(0.7)
    assert is_right is right
    assert decisions(Fixed(), [view], PLAIN, NO_PRIOR, 0.95) == []
