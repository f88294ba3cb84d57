from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.case_json import from_json, to_json
from claimscope.checker import Checker
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.render.content import evidence_of, links
from claimscope.render.exports import FORMATS, to_claim_review, to_csv
from claimscope.render.markdown import escape, to_markdown
from claimscope.types import Candidate, Case, LabelProbabilities, Metadata, Rule, Verdict
from tests.unit.cli.conftest import Run, home, run

__all__ = ["home", "run"]
CLAIM = "Aspirin lowers the risk of heart attack."
HOSTILE = '=HYPERLINK("http://evil") <script>alert(1)</script> [x](javascript:1) | # `y`'


@pytest.fixture(scope="module")
def unjudged(library: LocalLibrary) -> Case:
    return Checker(library, "lexical-baseline").check(CLAIM)


@pytest.fixture
def judged(unjudged: Case) -> Case:
    """The case as a verifier would have it, with a hostile title and a quoted retraction."""
    first, second, *others = unjudged.candidates
    first = _changed(first, LabelProbabilities(0.9, 0.0, 0.1), title=HOSTILE)
    meta = replace(second.document.meta, retracted=True)
    second = _changed(second, LabelProbabilities(0.0, 0.9, 0.1), meta=meta)
    verdict = Verdict(
        Label.DISPUTED,
        0.9,
        (first.document.id,),
        (second.document.id,),
        Rule("any-evidence", "DISPUTED: both.", "More."),
    )
    return replace(unjudged, candidates=(first, second, *others), verdict=verdict)


def _changed(item: Candidate, labels: LabelProbabilities, **document: object) -> Candidate:
    return replace(item, labels=labels, document=replace(item.document, **document))


def _with_verdict(case: Case, **changes: object) -> Case:
    assert case.verdict is not None
    return replace(case, verdict=replace(case.verdict, **changes))


def test_evidence_is_what_counts_or_what_is_quoted(unjudged: Case, judged: Case) -> None:
    assert set(evidence_of(judged).values()) == {Label.SUPPORTS, Label.REFUTES}
    quoted = [item.document.id for item in unjudged.candidates if item.rationale]
    assert list(evidence_of(unjudged)) == quoted
    assert quoted


def test_a_claim_review_pretends_nothing(judged: Case) -> None:
    review = json.loads(to_claim_review(judged))
    assert review["reviewRating"]["alternateName"].startswith("Disputed (machine draft")
    assert "additionalProperty" not in review["reviewRating"], "a dispute has no single confidence"
    assert "ratingValue" not in review["reviewRating"]
    assert review["author"] == review["author"] | {"@type": "SoftwareApplication"}
    assert [item.get("creativeWorkStatus") for item in review["citation"]] == [None, "Retracted"]


def test_no_markup_of_a_title_survives(judged: Case) -> None:
    text = to_markdown(judged)
    assert "<script>" not in text
    assert "[x](" not in text
    assert "&lt;script&gt;" in FORMATS["html"].write(judged)
    assert "<script>" not in FORMATS["html"].write(judged)


def test_no_cell_of_a_table_is_a_formula(judged: Case) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(judged))))
    assert len(rows) == len(judged.candidates)
    assert rows[0]["title"] == f"'{HOSTILE}"
    assert rows[1]["retracted"] == "yes"
    assert [row["counts"] for row in rows[:3]] == ["SUPPORTS", "REFUTES", ""]


def test_an_undecided_claim_is_told_from_an_unjudged_one(judged: Case, unjudged: Case) -> None:
    assert "**Disputed**\n" in to_markdown(judged)
    undecided = _with_verdict(judged, label=Label.NOT_ENOUGH_INFO, confidence=None)
    assert "**Not enough information**" in to_markdown(undecided)
    assert "**Not judged**" in to_markdown(unjudged)


def test_a_saved_case_is_written_as_a_fresh_one(judged: Case) -> None:
    saved = from_json(to_json(judged))
    for name, each in FORMATS.items():
        assert each.write(saved) == each.write(judged), name


@given(st.text())
def test_escaped_markdown_has_no_bare_marks(text: str) -> None:
    escaped = escape(text)
    assert "\n" not in escaped
    for mark in "<[`*_#|":
        at = -1
        while (at := escaped.find(mark, at + 1)) >= 0:
            assert escaped[at - 1] == "\\"


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "data:text/html,x", "//evil", "http://", "file:///etc", "http://[", ""],
)
def test_only_web_addresses_become_links(address: str) -> None:
    assert links(Metadata(url=address)) == []


@given(st.text(max_size=60))
def test_links_cannot_leave_their_attribute(text: str) -> None:
    for meta in (
        Metadata(doi=text),
        Metadata(pmid=text),
        Metadata(url=f"https://a.example/{text}"),
    ):
        for link in links(meta):
            assert link.address.startswith("https://")
            assert not set(link.address) & set('"<> \n\t\\')


def test_the_command_line_writes_every_format(run: Run, library: LocalLibrary) -> None:
    for name in FORMATS:
        made = run("check", CLAIM, "--format", name, "-l", library.location)
        assert (made.code, "Aspirin" in made.out) == (0, True), made.err
    assert run("check", CLAIM, "--format", "docx", "-l", library.location).code == 2
    assert run("check", CLAIM, "Tea.", "--format", "ris", "-l", library.location).code == 2
