from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.case_json import from_json, to_json
from claimscope.checker import Checker
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.render.exports import to_html, to_markdown
from claimscope.stages.judge.full_text import nearest
from claimscope.text import split_sentences
from claimscope.types import Case, Document, Section

CLAIM = "Aspirin reduces the risk of heart attack"
RESULTS = (
    "In all, 200 adults completed the trial. "
    "Aspirin significantly reduced the risk of heart attack compared with placebo."
)


def section(heading: str, text: str, page: int | None = None) -> Section:
    return Section(heading, text, tuple(split_sentences(text)), page)


def document(name: str, abstract: str, *body: Section) -> Document:
    title = f"A trial of aspirin and heart attack, {name}"
    return Document(name, title, abstract, tuple(split_sentences(abstract)), body=body)


OPEN = "We describe the protocol of a trial of aspirin and heart attack. Results will follow."
METHODS = section("Methods", "Adults took a pill.", 2)
DEEP = document("deep", OPEN, METHODS, section("Results", RESULTS, 5))


def check(folder: Path, *documents: Document) -> Case:
    with LocalLibrary(folder, create=True) as library:
        library.add(documents)
        return Checker(library).check(CLAIM)


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return check(tmp_path_factory.mktemp("library") / "x", DEEP)


def test_the_full_text_answers_what_the_abstract_leaves_open(tmp_path: Path, deep: Case) -> None:
    shallow = check(tmp_path / "x", replace(DEEP, body=()))
    assert shallow.verdict is not None
    assert shallow.verdict.label is Label.NOT_ENOUGH_INFO
    assert deep.verdict is not None
    assert deep.verdict.label is Label.SUPPORTS
    (candidate,) = deep.candidates
    (quotation, *_) = candidate.quotations
    assert (quotation.heading, quotation.page) == ("Results", 5)
    assert RESULTS[quotation.start : quotation.end] == quotation.text
    assert quotation.text.startswith("Aspirin significantly reduced")
    assert (candidate.depth, candidate.rationale) == ("full text", ())


def test_an_abstract_that_decides_is_not_read_further(tmp_path: Path) -> None:
    refuting = section("Results", "Aspirin did not reduce the risk of heart attack at all.")
    case = check(tmp_path / "x", document("d", RESULTS, refuting))
    assert case.candidates[0].label is Label.SUPPORTS
    assert case.candidates[0].depth == "abstract"
    assert case.candidates[0].quotations == ()


def test_the_place_is_shown_and_survives_json(deep: Case) -> None:
    again = from_json(to_json(deep))
    assert again.candidates[0].quotations == pytest.approx(deep.candidates[0].quotations) or (
        to_json(again) == to_json(deep)
    )
    for shown in (to_markdown(deep), to_html(deep)):
        assert "Results, page 5" in shown
        assert "Aspirin significantly reduced" in shown


def test_the_nearest_passages_share_rare_words() -> None:
    body = [section(f"S{n}", f"Aspirin and heart matters {n}.") for n in range(20)]
    body.insert(7, section("Here", "Attack risk fell with aspirin."))
    found = nearest(CLAIM, document("d", "", *body), 2)
    assert [each.section for each in found][:1] == [7]
    assert nearest(CLAIM, document("d", "", section("", "Tea.")), 2) == []
    assert nearest(CLAIM, document("d", "", *body), 2, share=0.9) == []
