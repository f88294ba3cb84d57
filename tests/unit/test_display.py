from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimscope import Checker, open_library
from claimscope._cases import COLUMNS, CaseList
from claimscope.errors import InputError, RecordError
from claimscope.labels import Label
from claimscope.types import Candidate, Case, Claim, Document, Metadata, Rule, Section, Verdict

EVIL = "<script>alert(1)</script>"
BODY = (Section("H", "T.", ((0, 2),), 3),)
PAPER = Document("a", EVIL, "Short.", ((0, 6),), Metadata(year=2001), BODY)
RULE = Rule("any", EVIL, "")
CASE = Case(Claim(EVIL * 9), (Candidate(PAPER),), Verdict(Label.SUPPORTS, 0.9, ("a",), (), RULE))
NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def test_reprs_are_short_and_html_is_escaped() -> None:
    for shown in (PAPER, CASE, CaseList([CASE])):
        assert len(repr(shown)) < 120
        assert "<script" not in shown._repr_html_()
    assert "SUPPORTED" in repr(CASE)
    assert repr(CASE).endswith("1 paper>")
    assert repr(CaseList([CASE])) == "<1 case>"
    assert repr(CASE.candidates[0]) == "<Candidate 'a': not judged, 0 quotes>"
    assert repr(CASE.verdict) == "<Verdict SUPPORTED 0.90: 1 for, 0 against>"
    disputed = Verdict(Label.DISPUTED, 0.6, ("a",), ("b",), RULE)
    assert repr(disputed) == "<Verdict DISPUTED: 1 for, 1 against>"


def test_html_has_the_answer_in_words_and_the_parts() -> None:
    with open_library("demo") as library:
        checker = Checker(library)
        case = checker.check("Hormone therapy prevents heart disease")
        joint = checker.check("The MMR vaccine causes autism, and peanuts cause allergy.")
        assert repr(checker) == f"<Checker 'claimscope' on {library!r}>"
    assert "one supports this and one contradicts it" in case._repr_html_()
    assert "54% of the evidence" not in case._repr_html_()
    assert [part.claim.text in joint._repr_html_() for part in joint.parts] == [True, True]


def test_plain_values_come_back() -> None:
    assert Document.from_json(PAPER.to_json()) == PAPER
    assert PAPER.to_dict()["title"] == EVIL
    assert Case.from_json(CASE.to_json()).to_dict() == CASE.to_dict()
    with pytest.raises(RecordError):
        Document.from_json("[]")


@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_cases_become_a_table(engine: str) -> None:
    module = pytest.importorskip(engine)
    frame = CaseList([CASE]).to_frame(engine)
    assert isinstance(frame, module.DataFrame)
    assert list(frame.columns) == list(COLUMNS)
    with pytest.raises(InputError, match="use pandas or polars"):
        CaseList().to_frame("excel")


def test_cases_are_one_json_list() -> None:
    assert json.loads(CaseList([CASE, CASE]).to_json()) == [CASE.to_dict()] * 2
    assert CaseList().to_json() == "[]"


def test_the_notebook_runs() -> None:
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert len(names["results"]) == 2
    assert names["case"].verdict.label is Label.REFUTES
