"""Every form of a report says the same, and none lets text act as markup."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import docx
import pytest

from claimscope.audit.report import Audit, Checked, Level, Outcome, Quote, Remark, RemarkKind
from claimscope.audit.writers import WRITERS, writer_for
from claimscope.errors import UnknownNameError
from claimscope.types import Document, LabelProbabilities, Provenance

HOSTILE = "<script>alert(1)</script> =1+1 [x](javascript:1)\x07"


@pytest.fixture
def audit() -> Audit:
    text = f"It works. {HOSTILE}"
    paper = Document("p", f"A title {HOSTILE}", text, ((0, 9), (10, len(text))))
    quote = Quote("p", text[10:], 10, len(text))
    labels = LabelProbabilities(0.1, 0.8, 0.1)
    bad = Checked(
        4, "It works [@p].", "It works.", "[@p]", "p", Outcome.CONTRADICTS, Level.ERROR, HOSTILE,
        paper, (quote,), labels,
    )  # fmt: skip
    good = Checked(
        2, "Fine [@p].", "Fine.", "[@p]", "p", Outcome.SUPPORTS, Level.NONE, "ok", paper, (quote,),
        labels,
    )  # fmt: skip
    remark = Remark(9, "So.", RemarkKind.NUMBERS, Level.NOTE, "The quotes lack 5.", paper, (quote,))
    origin = Provenance("1", "claimscope", (), "0" * 32)
    return Audit("a b.md", "line", 9, (good, bad), (remark,), ("A note.",), origin)


def test_sarif_has_what_the_standard_requires(audit: Audit) -> None:
    log = json.loads(WRITERS[".sarif"](audit))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert [result["level"] for result in run["results"]] == ["error", "note"]
    for result in run["results"]:
        assert result["message"]["text"]
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        [location] = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "a%20b.md"
        assert place["region"]["startLine"] >= 1
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 4


def test_html_and_markdown_escape_all_text(audit: Audit) -> None:
    page = WRITERS[".html"](audit).decode()
    assert "<script>" not in page
    assert "default-src 'none'" in page
    assert "It works [@p]." in page
    comments = WRITERS[".md"](audit).decode()
    assert "<script>" not in comments
    assert "[x](" not in comments
    assert "Fine" not in comments, "what is in order needs no comment"


def test_csv_has_a_line_for_each_finding(audit: Audit) -> None:
    rows = list(csv.DictReader(io.StringIO(WRITERS[".csv"](audit).decode())))
    assert [row["kind"] for row in rows] == ["supports", "contradicts", "numbers differ"]
    assert rows[1]["refutes"] == "0.8"


def test_word_comments_stand_beside_the_sentences(audit: Audit) -> None:
    written = WRITERS[".docx"](audit)
    with zipfile.ZipFile(io.BytesIO(written)) as parts:
        dates = {part.date_time for part in parts.infolist()}
    assert dates == {(2000, 1, 1, 0, 0, 0)}, "the time of day is no part of an audit"
    assert written == WRITERS[".docx"](audit)
    document = docx.Document(io.BytesIO(written))
    comments = [comment.text for comment in document.comments]
    assert len(comments) == 2
    assert comments[0].startswith("Contradicts. [@p]")
    assert any("It works [@p]." in paragraph.text for paragraph in document.paragraphs)


def test_an_unknown_ending_names_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"\.sarif"):
        writer_for(Path("report.xls"))
