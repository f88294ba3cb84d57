from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.checker import Checker
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.result import metadata_dict, to_dict
from claimscope.render.claim_review import to_claim_review
from claimscope.render.evidence import evidence_of
from claimscope.render.formats import FORMATS
from claimscope.render.links import links
from claimscope.render.markdown import escape, to_markdown
from claimscope.render.table import to_csv
from claimscope.types import Metadata
from tests.unit.cli.conftest import Run, home, run

__all__ = ["home", "run"]
CLAIM = "Aspirin lowers the risk of heart attack."
HOSTILE = '=HYPERLINK("http://evil") <script>alert(1)</script> [x](javascript:1) | # `y`'


@pytest.fixture(scope="module")
def result(library: LocalLibrary) -> dict[str, Any]:
    return to_dict(Checker(library, "lexical-baseline").check(CLAIM))


@pytest.fixture
def judged(result: dict[str, Any]) -> dict[str, Any]:
    """The result as a verifier would have it, with a hostile title and a quoted retraction."""
    copy: dict[str, Any] = json.loads(json.dumps(result))
    first, second = copy["candidates"][:2]
    first["title"] = HOSTILE
    for item, label in ((first, "SUPPORTS"), (second, "REFUTES")):
        item["label"] = label
        item["probabilities"] = {"SUPPORTS": 0.0, "REFUTES": 0.0, "NOT_ENOUGH_INFO": 0.1}
        item["probabilities"][label] = 0.9
    second["metadata"]["retracted"] = True
    copy["verdict"] |= {
        "label": "DISPUTED",
        "confidence": 0.9,
        "supporting": [first["id"]],
        "refuting": [second["id"]],
        "rule": {"name": "any-evidence", "statement": "DISPUTED: both.", "would_change": "More."},
    }
    return copy


def test_evidence_is_what_counts_or_what_is_quoted(
    result: dict[str, Any], judged: dict[str, Any]
) -> None:
    assert set(evidence_of(judged).values()) == {"SUPPORTS", "REFUTES"}
    quoted = [item["id"] for item in result["candidates"] if item["rationale"]]
    assert list(evidence_of(result)) == quoted
    assert quoted


def test_a_claim_review_pretends_nothing(judged: dict[str, Any]) -> None:
    review = json.loads(to_claim_review(judged))
    assert review["reviewRating"]["alternateName"].startswith("Disputed (machine draft")
    assert review["reviewRating"]["additionalProperty"]["value"] == 0.9
    assert "ratingValue" not in review["reviewRating"]
    assert review["author"] == review["author"] | {"@type": "SoftwareApplication"}
    assert [item.get("creativeWorkStatus") for item in review["citation"]] == [None, "Retracted"]


def test_no_markup_of_a_title_survives(judged: dict[str, Any]) -> None:
    text = to_markdown(judged)
    assert "<script>" not in text
    assert "[x](" not in text
    assert "&lt;script&gt;" in FORMATS["html"].write(judged)
    assert "<script>" not in FORMATS["html"].write(judged)


def test_no_cell_of_a_table_is_a_formula(judged: dict[str, Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(judged))))
    assert len(rows) == len(judged["candidates"])
    assert rows[0]["title"] == f"'{HOSTILE}"
    assert rows[1]["retracted"] == "yes"


def test_an_undecided_claim_is_told_from_an_unjudged_one(judged: dict[str, Any]) -> None:
    assert "**Disputed** (confidence 0.90)" in to_markdown(judged)
    judged["verdict"] |= {"label": "NOT_ENOUGH_INFO", "confidence": None}
    assert "**Not enough information**" in to_markdown(judged)
    judged["verdict"]["rule"]["name"] = "unjudged"
    assert "**Not judged**" in to_markdown(judged)


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
    assert links(metadata_dict(Metadata(url=address))) == []


@given(st.text(max_size=60))
def test_links_cannot_leave_their_attribute(text: str) -> None:
    for meta in (
        Metadata(doi=text),
        Metadata(pmid=text),
        Metadata(url=f"https://a.example/{text}"),
    ):
        for link in links(metadata_dict(meta)):
            assert link.address.startswith("https://")
            assert not set(link.address) & set('"<> \n\t\\')


def test_the_command_line_writes_every_format(run: Run, library: LocalLibrary) -> None:
    for name in FORMATS:
        made = run("check", CLAIM, "--format", name, "-l", library.location)
        assert (made.code, "Aspirin" in made.out) == (0, True), made.err
    assert run("check", CLAIM, "--format", "docx", "-l", library.location).code == 2
    assert run("check", CLAIM, "Tea.", "--format", "ris", "-l", library.location).code == 2
