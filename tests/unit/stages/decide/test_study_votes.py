"""One vote per study, weights by design, and what would flip a verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claimscope.case_json import from_json, to_json
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.labels import Label
from claimscope.pipeline.preset import load, with_weights
from claimscope.render.exports import FORMATS
from claimscope.render.flips import flips
from claimscope.stages.decide.sensitivity import sensitivity
from claimscope.stages.decide.votes import AnyEvidence, WeightedVote
from claimscope.types import Case, Sensitivity
from tests.unit.render.judged import AGAINST, FOR, SILENT, checked, paper, trial

RULE = WeightedVote(threshold=0.0, per_study=True)
REGISTERED = "We asked 100 adults. See NCT01234567. It worked."


def verdict(case: Case) -> Label:
    assert case.verdict is not None
    return case.verdict.label


def test_a_study_votes_once() -> None:
    papers = (
        paper("a", FOR, REGISTERED, 0.8),
        paper("b", FOR, REGISTERED.replace("worked", "helped"), 0.9),
        paper("c", FOR, REGISTERED, 0.7),
        paper("d", AGAINST, sure=0.8),
    )
    assert verdict(checked(*papers)) is Label.SUPPORTS, "three votes against one"
    once = checked(*papers, rule=RULE)
    assert verdict(once) is Label.DISPUTED
    assert once.verdict is not None
    assert once.verdict.supporting == ("b",)
    [group] = once.verdict.groups
    assert group.papers == ("b", "a", "c")
    assert "2 reports of a study that has its vote" in once.verdict.rule.statement
    page = FORMATS["html"].write(once)
    assert page.count('class="card for repeat"') == 2
    assert "same registry number NCT01234567" in page
    assert "same registry number NCT01234567" in FORMATS["markdown"].write(once)


def test_removing_a_study_removes_all_its_reports() -> None:
    case = checked(paper("a", FOR, REGISTERED), paper("b", FOR, REGISTERED, 0.8), rule=RULE)
    found = sensitivity(RULE, case)
    assert found == Sensitivity(("a", "b"), Label.NOT_ENOUGH_INFO, None)


def test_the_smallest_set_that_flips() -> None:
    case = checked(*(trial(name, FOR, 50) for name in "abc"), trial("d", AGAINST, 99, sure=0.89))
    assert verdict(case) is Label.SUPPORTS
    found = sensitivity(WeightedVote(threshold=0.0), case)
    assert found == Sensitivity(("a",), Label.DISPUTED, None)
    [line] = flips(_with(case, found))
    assert line == "Without “Title of a” the verdict would be “Disputed”."


def test_a_dispute_flips_when_one_side_goes() -> None:
    rule = AnyEvidence()
    [case] = rule.run([checked(trial("a", FOR, 50), trial("b", FOR, 50), trial("c", AGAINST, 9))])
    assert sensitivity(rule, case) == Sensitivity(("c",), Label.SUPPORTS, None)


def test_retracted_papers_are_tried_both_ways() -> None:
    case = checked(trial("a", FOR, 50), paper("b", AGAINST, retracted=True))
    found = sensitivity(WeightedVote(threshold=0.0), case)
    assert found is not None
    assert found.retracted is Label.DISPUTED
    assert "If retracted papers counted, the verdict would be “Disputed”." in flips(
        _with(case, found)
    )
    counting = WeightedVote(threshold=0.0, count_retracted=True)
    [other] = counting.run([case])
    found = sensitivity(counting, other)
    assert found is not None
    assert found.retracted is Label.SUPPORTS
    assert "If retracted papers did not count" in flips(_with(other, found))[-1]
    assert sensitivity(RULE, checked(trial("a", SILENT, 50))) is None


def test_the_json_form_keeps_groups_and_sensitivity() -> None:
    case = checked(paper("a", FOR, REGISTERED), paper("b", FOR, REGISTERED, 0.8), rule=RULE)
    case = _with(case, sensitivity(RULE, case))
    assert from_json(to_json(case)).verdict == case.verdict


def test_a_design_weighs_only_if_asked() -> None:
    papers = (
        paper("a", FOR, study_type="case report"),
        paper("b", FOR, study_type="case report"),
        trial("c", AGAINST, 500),
    )
    assert verdict(checked(*papers)) is Label.DISPUTED
    by_design = WeightedVote(threshold=0.0, weigh="design")
    assert verdict(checked(*papers, rule=by_design)) is Label.REFUTES


def test_weights_are_an_option_of_presets_that_weigh() -> None:
    changed = with_weights(load("claimscope"), "design")
    assert changed.stages[-1].parameters["weigh"] == "design"
    with pytest.raises(ConfigurationError, match="does not weigh evidence"):
        with_weights(load("lexical-baseline"), "design")
    with pytest.raises(UnknownNameError):
        WeightedVote(weigh="size")


def _with(case: Case, found: Sensitivity | None) -> Case:
    assert case.verdict is not None
    return replace(case, verdict=replace(case.verdict, sensitivity=found))
