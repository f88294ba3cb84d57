"""Compound claims are checked part by part, and simple ones as before."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import pytest

from claimscope.case_json import from_json, to_dict, to_json
from claimscope.checker import Checker
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.parts import combination, in_parts, joined
from claimscope.render.case_view import show
from claimscope.render.exports import FORMATS, to_csv, to_html
from claimscope.render.markdown import to_markdown
from claimscope.render.wording import answer, headline, shown_confidence
from claimscope.types import Case, Claim
from tests.unit.render.judged import AGAINST, FOR, SILENT, checked, paper

SIMPLE = "Aspirin lowers the risk of heart attack."
COMPOUND = "Aspirin lowers the risk of heart attack, and vitamin D prevents falls."
OPEN, BOTH = Label.NOT_ENOUGH_INFO, Label.DISPUTED


@pytest.fixture(scope="module")
def checker(library: LocalLibrary) -> Checker:
    return Checker(library)


@pytest.fixture(scope="module")
def case(checker: Checker) -> Case:
    return checker.check(COMPOUND)


def _joined(*parts: Case) -> Case:
    claim = Claim("A and B prevent falls.")
    [found] = joined([claim], [[part.claim for part in parts]], parts)
    return found


def test_each_part_is_checked_as_if_it_were_asked_alone(case: Case, checker: Checker) -> None:
    alone = [to_dict(checker.check(part.claim.text)) for part in case.parts]
    for part, expected in zip(to_dict(case)["parts"], alone, strict=True):
        assert part["verdict"] == expected["verdict"]
        assert part["candidates"] == expected["candidates"]
        assert part.keys() == {"claim", "verdict", "notices", "candidates"}
    assert [part.claim.id for part in case.parts] == ["1", "2"]


def test_the_whole_case_holds_the_papers_of_all_parts_once(case: Case) -> None:
    names = [item.document.id for item in case.candidates]
    assert len(names) == len(set(names))
    assert set(names) == {item.document.id for part in case.parts for item in part.candidates}
    assert case.verdict is not None
    assert {*case.verdict.supporting, *case.verdict.refuting} <= set(names)


def test_a_simple_claim_has_no_parts_in_any_form(checker: Checker) -> None:
    [simple, _, again] = checker.check_many([SIMPLE, COMPOUND, SIMPLE])
    assert "parts" not in to_dict(simple)
    assert to_json(simple) == to_json(again)
    assert to_json(simple) == to_json(Checker(checker.library, split=False).check(SIMPLE))


def test_a_checker_can_be_told_to_split_nothing(library: LocalLibrary) -> None:
    whole = Checker(library, split=False).check(COMPOUND)
    assert not whole.parts
    assert whole.claim.text == COMPOUND


def test_a_pipeline_that_judges_nothing_splits_nothing(library: LocalLibrary) -> None:
    assert not Checker(library, "lexical-baseline").check(COMPOUND).parts


def test_stages_are_told_of_whole_claims(checker: Checker) -> None:
    seen: list[list[str]] = []

    def told(stage: str, cases: Sequence[Case]) -> None:
        seen.append([case.claim.text for case in cases])

    checker.check_many([COMPOUND, SIMPLE], told)
    assert seen
    assert all(claims == [COMPOUND, SIMPLE] for claims in seen)


def test_json_is_read_back_as_it_was_written(case: Case) -> None:
    assert to_json(from_json(to_json(case))) == to_json(case)


@pytest.mark.parametrize(
    ("labels", "words", "label"),
    [
        ([FOR, FOR], "Both parts supported.", FOR),
        ([FOR, AGAINST], "First supported, second refuted.", AGAINST),
        ([OPEN, FOR], "First undecided, second supported.", OPEN),
        ([BOTH, FOR], "First disputed, second supported.", BOTH),
        ([BOTH, OPEN], "First disputed, second undecided.", BOTH),
        ([AGAINST] * 3, "All three parts refuted.", AGAINST),
        ([FOR, FOR, OPEN], "First supported, second supported, third undecided.", OPEN),
    ],
)
def test_one_line_says_how_the_parts_combine(labels: list[Label], words: str, label: Label) -> None:
    evidence = {
        FOR: [paper("a", FOR)],
        AGAINST: [paper("b", AGAINST)],
        OPEN: [paper("c", SILENT)],
        BOTH: [paper("a", FOR), paper("b", AGAINST)],
    }
    whole = _joined(*(checked(*evidence[each]) for each in labels))
    assert whole.verdict is not None
    assert (whole.verdict.label, answer(whole).text) == (label, words)
    assert combination(labels) == words


def test_parts_that_differ_are_partly_this_or_that() -> None:
    supported, refuted = checked(paper("a", FOR)), checked(paper("b", AGAINST))
    undecided = checked(paper("c", SILENT))
    assert headline(_joined(supported, supported)) == "Supported"
    assert headline(_joined(supported, refuted)) == "Partly refuted"
    assert headline(_joined(supported, undecided)) == "Partly supported"
    assert headline(_joined(undecided, undecided)) == "Not enough information"
    assert shown_confidence(_joined(supported, refuted)) is None


def test_a_paper_stands_once_as_the_part_has_it_for_which_it_counts() -> None:
    whole = _joined(checked(paper("a", SILENT), paper("b", FOR)), checked(paper("a", AGAINST)))
    assert [(item.document.id, item.label) for item in whole.candidates] == [
        ("a", AGAINST),
        ("b", FOR),
    ]


def test_ids_of_parts_follow_the_claim() -> None:
    assert [each.id for each in in_parts([Claim(COMPOUND, "7")])[0]] == ["7.1", "7.2"]
    assert in_parts([Claim(SIMPLE, "7")]) == [[Claim(SIMPLE, "7")]]


def test_every_export_shows_the_parts(case: Case) -> None:
    markdown, page = to_markdown(case), to_html(case)
    for number, part in enumerate(case.parts, start=1):
        assert f"## Part {number} of 2: {part.claim.text}" in markdown
        assert part.claim.text in page
        assert f'id="part-{number}"' in page
    rows = list(csv.DictReader(io.StringIO(to_csv(case))))
    assert {row["claim"] for row in rows} == {part.claim.text for part in case.parts}
    for name in ("ris", "claimreview", "studies"):
        assert FORMATS[name].write(case)


def test_links_of_a_page_lead_to_one_paper_each(case: Case) -> None:
    views = show(case).parts
    anchors = [card.anchor for view in views for group in view.groups for card in group.cards]
    assert len(anchors) == len(set(anchors))
