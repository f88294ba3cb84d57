import json
from pathlib import Path

import pytest

from .conftest import Run

CLAIM = "Vitamin E does not prevent heart attacks in people at high risk."


@pytest.fixture
def stored(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    path.write_text(run("check", CLAIM, "-l", "demo", "--json").out, "utf-8")
    return path


def test_a_result_is_the_same_when_checked_again(run: Run, stored: Path) -> None:
    result = run("verify", stored, "-l", "demo")
    assert result.code == 0, result.out
    assert "verbatim, and the same" in result.out


@pytest.mark.parametrize("how", [(), ("--whole",)])
def test_a_compound_claim_is_checked_again_as_it_was(
    run: Run, tmp_path: Path, how: tuple[str, ...]
) -> None:
    path = tmp_path / "result.json"
    claim = f"{CLAIM[:-1]}, and the MMR vaccine causes autism."
    path.write_text(run("check", claim, *how, "-l", "demo", "--json").out, "utf-8")
    result = run("verify", path, "-l", "demo")
    assert result.code == 0, result.out
    parts = json.loads(path.read_text("utf-8")).get("parts", [])
    assert bool(parts) is not bool(how)
    papers = [each for part in parts for each in part["candidates"]]
    if quotes := sum(len(each["rationale"]) for each in papers):
        assert f"{quotes} quotes: verbatim" in result.out
    assert bool(quotes) is bool(parts)


def test_a_changed_quote_and_a_changed_verdict_are_named(run: Run, stored: Path) -> None:
    record = json.loads(stored.read_text("utf-8"))
    quoted = next(item for item in record["candidates"] if item["rationale"])
    quoted["rationale"][0]["text"] += " indeed"
    record["verdict"]["confidence"] = 0.123
    record["provenance"]["library_revision"] = "0" * 32
    judge = next(each for each in record["provenance"]["stages"] if "model_sha256" in each)
    judge["model_sha256"] = "f" * 64
    stored.write_text(json.dumps(record), "utf-8")
    result = run("verify", stored, "-l", "demo")
    assert result.code == 1
    for words in (
        "does not have “",
        "library revision was 000",
        "model_sha256",
        "“verdict” differs",
    ):
        assert words in result.out


def test_an_audit_is_verified_too(run: Run, tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text(
        "Vitamin E prevents strokes in people at high risk [@10.1056/NEJM200001203420302]."
    )
    words = ("audit", paper, "-l", "demo", "--no-cache", "--json")
    stored = tmp_path / "audit.json"
    stored.write_text(run(*words).out, "utf-8")
    assert run("verify", stored, "-l", "demo").code == 0
    changed = stored.read_text("utf-8").replace('"REFUTES": 0.', '"REFUTES": 0.0')
    stored.write_text(changed, "utf-8")
    assert run("verify", stored, "-l", "demo").code == 1


DEEP = {
    "id": "mel",
    "title": "Melatonin for primary insomnia in adults: a randomised trial",
    "abstract": "We randomised 210 adults with insomnia to melatonin or placebo for four weeks.",
    "body": [
        {
            "heading": "Results",
            "page": 1,
            "text": "Melatonin did not impair next-day driving performance in the simulator.",
            "spans": [[0, 71]],
        }
    ],
}


def test_a_quote_of_the_full_text_is_looked_up(run: Run, tmp_path: Path) -> None:
    papers, library = tmp_path / "papers.jsonl", tmp_path / "library"
    papers.write_text(json.dumps(DEEP), "utf-8")
    assert run("library", "add", papers, "-l", library).code == 0
    path = tmp_path / "result.json"
    words = ("check", "Melatonin impairs driving performance", "-l", library, "--json")
    path.write_text(run(*words).out, "utf-8")
    same = run("verify", path, "-l", library)
    assert (same.code, "1 result, 1 quote: verbatim" in same.out) == (0, True), same.out
    record = json.loads(path.read_text("utf-8"))
    for section, text in ((0, "Melatonin did impair driving."), (7, "Melatonin did not impair")):
        record["candidates"][0]["quotations"][0] |= {"section": section, "text": text}
        path.write_text(json.dumps(record), "utf-8")
        changed = run("verify", path, "-l", library)
        assert changed.code == 1
        assert f"The full text of 'mel' does not have “{text}”" in changed.out


def test_a_paper_that_is_missing_is_named_once(run: Run, stored: Path, tmp_path: Path) -> None:
    papers, library = tmp_path / "papers.jsonl", tmp_path / "library"
    papers.write_text(json.dumps(DEEP), "utf-8")
    assert run("library", "add", papers, "-l", library).code == 0
    record = json.loads(stored.read_text("utf-8"))
    quoted = next(item for item in record["candidates"] if item["rationale"])
    quoted["rationale"] *= 2
    stored.write_text(json.dumps(record), "utf-8")
    found = run("verify", stored, "-l", library)
    assert found.code == 1
    assert found.out.count(f"has no document {quoted['id']!r}") == 1
    assert "--library" in found.out


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "other"}', "not json"])
def test_what_is_no_result_is_refused(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "result.json"
    path.write_text(text)
    assert run("verify", path, "-l", "demo").code == 2
