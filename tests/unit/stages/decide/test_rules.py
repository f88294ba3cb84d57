import pytest

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.verifier.settings import VerifierSettings
from claimscope.stages.decide.evidence_rule import EvidenceRule
from claimscope.stages.decide.votes import AnyEvidence, Strongest, Unjudged, WeightedVote
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Document,
    LabelProbabilities,
    Metadata,
    Verdict,
)


def case(*votes: float, retracted: tuple[int, ...] = ()) -> Case:
    """Make a case of abstracts: 0.8 supports with that probability, -0.8 refutes, 0 is silent."""
    candidates = []
    for number, vote in enumerate(votes):
        rest = 1 - abs(vote)
        labels = LabelProbabilities(max(vote, 0), max(-vote, 0), rest)
        meta = Metadata(retracted=number in retracted)
        candidates.append(Candidate(Document(f"d{number}", "", meta=meta), labels=labels))
    return Case(Claim("c"), tuple(candidates))


def decide(rule: EvidenceRule, given: Case) -> Verdict:
    [decided] = rule.run([given])
    assert decided.verdict is not None
    return decided.verdict


@pytest.mark.parametrize("rule", [AnyEvidence(), WeightedVote(), Strongest()])
@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ((0.9, 0.0), Label.SUPPORTS),
        ((-0.9, 0.0), Label.REFUTES),
        ((0.0, 0.0), Label.NOT_ENOUGH_INFO),
        ((), Label.NOT_ENOUGH_INFO),
    ],
)
def test_rules_agree_where_the_evidence_does(
    rule: EvidenceRule, votes: tuple[float, ...], label: Label
) -> None:
    verdict = decide(rule, case(*votes))
    assert verdict.label is label
    assert verdict.rule.statement.startswith(label.verdict)
    assert (verdict.confidence is None) is (label is Label.NOT_ENOUGH_INFO)


def test_a_rule_that_asks_for_no_probability_speaks_of_none() -> None:
    asking, taking = decide(WeightedVote(), case(0.0)), decide(WeightedVote(threshold=0), case(0.0))
    nothing = "NOT_ENOUGH_INFO: no abstract supports or refutes the claim"
    assert asking.rule.statement.startswith(f"{nothing} with probability 0.5 or more (")
    assert taking.rule.statement.startswith(f"{nothing} (")
    any_side = decide(AnyEvidence(threshold=0), case(0.6)).rule.statement
    assert "none refutes it (" in any_side


def test_any_support_and_any_refutation_are_a_dispute() -> None:
    verdict = decide(AnyEvidence(), case(0.9, 0.8, -0.6, 0.0))
    assert verdict.label is Label.DISPUTED
    assert verdict.supporting == ("d0", "d1")
    assert verdict.refuting == ("d2",)
    assert verdict.confidence == 0.6
    assert "2 supporting, 1 refuting, 1 without enough information" in verdict.rule.statement


def test_a_label_below_the_threshold_is_silent() -> None:
    assert decide(AnyEvidence(threshold=0.7), case(0.9, -0.6)).label is Label.SUPPORTS
    assert decide(AnyEvidence(threshold=0.6), case(0.9, -0.6)).label is Label.DISPUTED


def test_retracted_papers_are_set_aside_unless_asked_for() -> None:
    given = case(0.9, -0.9, retracted=(0,))
    verdict = decide(AnyEvidence(), given)
    assert verdict.label is Label.REFUTES
    assert "1 retracted and set aside" in verdict.rule.statement
    assert decide(AnyEvidence(count_retracted=True), given).label is Label.DISPUTED


def test_a_vote_is_won_by_the_majority_of_the_weight() -> None:
    won = decide(WeightedVote(majority=0.75), case(0.9, 0.9, 0.9, -0.9))
    assert won.label is Label.SUPPORTS
    assert won.confidence == pytest.approx(0.75 * 0.9)
    lost = decide(WeightedVote(majority=0.75), case(0.9, 0.9, -0.9))
    assert lost.label is Label.DISPUTED


def test_what_would_change_a_vote_really_changes_it() -> None:
    rule = WeightedVote(majority=0.75)
    verdict = decide(rule, case(1.0, 1.0, -0.6))
    assert verdict.label is Label.SUPPORTS
    assert verdict.rule.would_change == (
        "Further refuting abstracts would make it DISPUTED if their probabilities add up to "
        "more than 0.07."
    )
    assert decide(rule, case(1.0, 1.0, -0.68)).label is Label.DISPUTED
    disputed = decide(rule, case(1.0, 0.7, -0.6))
    assert disputed.rule.would_change == (
        "Further supporting abstracts would make it SUPPORTED if their probabilities add up to "
        "at least 0.10."
    )
    assert decide(rule, case(1.0, 0.81, -0.6)).label is Label.SUPPORTS


@pytest.mark.parametrize(
    ("probabilities", "statement"),
    [
        ((0.9,), "SUPPORTED: one abstract supports the claim and none refutes it (1 "),
        ((-0.9, -0.8), "REFUTED: 2 abstracts refute the claim and none supports it (0 "),
        ((1.0, 1.0, -0.6), "SUPPORTED: 77% of the evidence by weight supports the claim, and"),
        ((1.0, -1.0, -1.0), "DISPUTED: 67% of the evidence by weight refutes the claim, and a"),
    ],
)
def test_a_vote_says_what_it_counted(probabilities: tuple[float, ...], statement: str) -> None:
    assert decide(WeightedVote(), case(*probabilities)).rule.statement.startswith(statement)


@pytest.mark.parametrize("majority", [0.5, 1.0, 0.2])
def test_a_majority_that_decides_nothing_is_refused(majority: float) -> None:
    with pytest.raises(ConfigurationError, match="must lie between"):
        WeightedVote(majority=majority)


def test_the_most_certain_abstract_decides_alone() -> None:
    verdict = decide(Strongest(), case(0.7, 0.7, -0.8))
    assert verdict.label is Label.REFUTES
    assert "d2" in verdict.rule.statement
    assert verdict.confidence == pytest.approx(0.8)


def test_without_a_judge_there_is_no_verdict_and_the_reason_is_given() -> None:
    [decided] = Unjudged().run([case(0.9)])
    assert decided.verdict is not None
    assert decided.verdict.label is Label.NOT_ENOUGH_INFO
    assert "no model that judges" in decided.verdict.rule.statement


class Fitted(Models):
    """Models whose verifier was fitted: labels count from 0.4, and verdicts are firm from 0.7."""

    def verifier_settings(self, model: str) -> VerifierSettings:
        return VerifierSettings(least=0.4, firm=0.7)


def fitted(**changes: float) -> WeightedVote:
    return WeightedVote(model="any", models=Fitted(), **{"threshold": 0.0, **changes})


def test_a_verdict_below_the_firm_confidence_is_a_leaning() -> None:
    weak, firm = decide(fitted(), case(0.6)), decide(fitted(), case(0.8))
    assert (weak.label, weak.leaning) == (Label.SUPPORTS, True)
    assert weak.rule.statement.startswith("SUPPORTED: this is a leaning only, below a confidence")
    assert (firm.label, firm.leaning) == (Label.SUPPORTS, False)
    assert not decide(fitted(), case(0.6, -0.6)).leaning


def test_a_label_below_the_least_probability_does_not_count_and_the_reason_says_so() -> None:
    verdict = decide(fitted(), case(0.35))
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert "with probability 0.4 or more" in verdict.rule.statement


def test_a_stricter_threshold_and_a_given_firmness_go_before_the_fitted_ones() -> None:
    assert decide(fitted(threshold=0.7), case(0.6)).label is Label.NOT_ENOUGH_INFO
    assert not decide(fitted(firm=0.5), case(0.6)).leaning
