from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from claimscope.ingest.files import read
from claimscope.pipeline.preset import DEFAULT_PRESET
from claimscope.render.exports import FORMATS
from claimscope.types import Document
from tests.unit.service.running import ASPIRIN, gated

from .conftest import HOSTILE, Browser

SHREWS = "Shrews hunt worms."


def test_a_shared_link_shows_verdict_rule_balance_and_evidence(reading: Browser) -> None:
    text = reading.text("/", params={"claim": ASPIRIN})
    assert '<p class="headline">Disputed</p>' in text
    assert "at least one refutes it" in text
    assert "<title>1 for, 1 against</title>" in text
    assert "<mark>Aspirin lowered the risk of heart attack by a third.</mark>" in text
    assert "more sentence" in text
    assert '<script type="module" src="/static/page.js">' in text
    assert "<style" not in text
    assert "style=" not in text


def test_an_answer_that_is_none_is_shown_as_one(reading: Browser) -> None:
    text = reading.text("/", params={"claim": "Quokkas vote."})
    assert "Not enough information" in text
    assert "No verdict is given" in text
    assert '<section class="verdict abstain"' in text


@pytest.mark.parametrize("claim", ["\x00", "x" * 2001])
def test_what_is_no_claim_is_told_beside_the_form(reading: Browser, claim: str) -> None:
    answer = reading.get("/", params={"claim": claim})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert 'id="claim"' in answer.text


def test_retracted_papers_are_marked(reading: Browser) -> None:
    text = reading.text("/", params={"claim": "Measles vaccination has a link with autism."})
    assert "⚠ Retracted" in text
    [notice] = re.findall(r'<p class="notice">(.*?)</p>', text)
    assert "retracted" in notice
    assert "Measles vaccination and autism" in notice, "a reader knows a paper by its title"


def test_hostile_text_stays_text_on_every_page(reading: Browser) -> None:
    paths = ["/", "/library", "/library?q=shrews", f"/download/html?claim={SHREWS}"]
    paths += ["/library/papers/10.1000%2Fshrew%3F%3Cb%3E", f"/why?claim={SHREWS}&paper=shrews"]
    for path in paths:
        claim = {"claim": f"{SHREWS} {HOSTILE}"} if path == "/" else {}
        text = reading.http.get(path, params=claim or None).text
        assert "&lt;script&gt;" in text, path
        assert "<script>" not in text, path
        assert "<img" not in text, path
        assert "javascript:" not in text, path


def test_events_carry_the_papers_first_and_escaped(reading: Browser) -> None:
    words = {"claim": SHREWS}
    with (
        gated(reading.running.service) as gate,
        reading.http.stream("GET", "/stream", params=words) as answer,
    ):
        lines = answer.iter_lines()
        assert next(lines) == "event: candidates"
        first = json.loads(next(lines).removeprefix("data: "))
        assert first["said"].startswith("Reading ")
        assert "Papers found" in first["html"]
        assert HOSTILE not in first["html"]
        gate.opened.set()
        rest = [line for line in lines if line]
    assert rest[0] == "event: verdict"
    assert 'class="headline"' in json.loads(rest[1].removeprefix("data: "))["html"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_file_is_a_download_of_its_kind(reading: Browser, name: str) -> None:
    answer = reading.get(f"/download/{name}", params={"claim": ASPIRIN})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(FORMATS[name].media_type)
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="aspirin-lowers-the-risk')
    assert "Aspirin" in answer.text


def test_files_say_what_the_page_says(reading: Browser, tmp_path: Path) -> None:
    def file(name: str, claim: str = ASPIRIN) -> str:
        return reading.get(f"/download/{name}", params={"claim": claim}).text

    assert json.loads(file("json"))["verdict"]["label"] == "DISPUTED"
    rows = list(csv.DictReader(io.StringIO(file("csv"))))
    assert {row["document"]: row["counts"] for row in rows}["aspirin"] == "SUPPORTS"
    review = json.loads(file("claimreview"))
    assert review["author"]["@type"] == "SoftwareApplication"
    assert review["creativeWorkStatus"] == "Draft"
    assert "datePublished" not in review
    references = tmp_path / "papers.ris"
    references.write_text(file("ris"))
    papers = [item for item in read([references]) if isinstance(item, Document)]
    assert {paper.title for paper in papers} == {
        "Aspirin and heart attack",
        "Aspirin in older adults",
    }
    assert "<script" not in file("html")


def test_a_preset_that_is_not_offered_is_refused(reading: Browser) -> None:
    answer = reading.get("/", params={"claim": ASPIRIN, "preset": "nonsense"})
    assert (answer.status_code, "does not offer the preset" in answer.text) == (422, True)
    named = reading.text("/", params={"claim": ASPIRIN, "preset": DEFAULT_PRESET})
    assert f"&amp;preset={DEFAULT_PRESET}" in named, "files and links keep the choice"


def test_unknown_formats_and_pages_are_told_to_people(reading: Browser) -> None:
    answer = reading.get("/download/docx", params={"claim": ASPIRIN})
    assert answer.status_code == 422
    assert "choose one of" in answer.text
    missing = reading.get("/nowhere")
    assert missing.status_code == 404
    assert "There is no such page." in missing.text
    as_program = reading.get("/nowhere", headers={"Accept": "*/*"})
    assert as_program.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("words", ["ice", "ice sheets", "ICE SHEETS"])
def test_why_not_finds_the_paper_by_id_or_title(reading: Browser, words: str) -> None:
    text = reading.text("/why", params={"claim": "Quokkas vote.", "paper": words})
    assert "Ice sheets" in text
    assert "Dropped at retrieve.bm25" in text


def test_why_not_says_when_no_paper_fits(reading: Browser) -> None:
    answer = reading.get("/why", params={"claim": ASPIRIN, "paper": "quokka"})
    assert answer.status_code == 404
    assert "The library has no paper" in answer.text


def test_styles_and_scripts_come_from_the_package(reading: Browser) -> None:
    for name in ("site.css", "case.css", "colours.css", "page.js", "check.js", "icon.svg"):
        answer = reading.get(f"/static/{name}")
        assert answer.status_code == 200
        tag = {"If-None-Match": answer.headers["etag"]}
        assert reading.get(f"/static/{name}", headers=tag).status_code == 304
        assert "//" not in answer.text.replace("http://www.w3.org/2000/svg", "").replace(
            "// ", ""
        ), "nothing is loaded from elsewhere"
    assert reading.get("/static/..%2Fsite.py").status_code == 404
