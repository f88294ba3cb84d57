import json
from pathlib import Path

import pytest

from .conftest import Run

BIB = (
    "@article{a, doi={10.1056/NEJM198907203210301}, title={Final report on the aspirin component}}"
)
GOOD = "Low-dose aspirin reduced the risk of a first heart attack in men [@a].\n"
BAD = "Low-dose aspirin raised the risk of a first heart attack in men [@a].\n"


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    (tmp_path / "refs.bib").write_text(BIB)
    return tmp_path / "paper.md"


def test_the_exit_code_says_whether_to_look(run: Run, paper: Path) -> None:
    head = "---\nbibliography: refs.bib\n---\n\n"
    paper.write_text(head + GOOD)
    good = run("audit", paper, "-l", "demo")
    assert good.code == 0, good.out + good.err
    paper.write_text(head + GOOD + BAD)
    bad = run("audit", paper, "-l", "demo")
    assert bad.code == 1
    assert "line 6" in bad.out
    assert "»" in bad.out
    paper.unlink()
    missing = run("audit", paper, "-l", "demo")
    assert missing.code == 2
    assert len(missing.err.strip().splitlines()) == 2, "the library's name, and one sentence"


def test_json_has_quotes_that_are_verbatim(run: Run, paper: Path) -> None:
    paper.write_text(GOOD)
    words = ("audit", paper, "--bib", paper.parent / "refs.bib", "-l", "demo", "--json")
    first, again = run(*words), run(*words, "--no-cache")
    assert first.out == again.out
    record = json.loads(first.out)
    assert record["schema"] == "claimscope.audit/1"
    [citation] = record["citations"]
    assert citation["outcome"] == "supports"
    assert citation["quotes"][0]["text"]


def test_a_bibliography_that_is_not_there_is_named(run: Run, paper: Path) -> None:
    paper.write_text("---\nbibliography: none.bib\n---\n" + GOOD)
    result = run("audit", paper, "-l", "demo")
    assert result.code == 2
    assert "none.bib" in result.err


def test_an_unknown_ending_is_refused_before_any_work(run: Run, paper: Path) -> None:
    paper.write_text(GOOD)
    result = run("audit", paper, "-l", "demo", "-o", paper.with_suffix(".xls"))
    assert result.code == 2
    assert ".json" in result.err


def test_a_sentence_stands_once_with_all_that_was_found(run: Run, paper: Path) -> None:
    said = 'They wrote that "aspirin protects every single woman of the world" [@a].'
    paper.write_text(f"{said} {BAD}{GOOD}")
    found = run("audit", paper, "--bib", paper.parent / "refs.bib", "-l", "demo")
    assert "quotation not verbatim" in found.out
    assert found.out.count("They wrote that") == 1


def test_files_are_named_beside_the_counts(run: Run, paper: Path) -> None:
    paper.write_text(BAD)
    page, table = paper.with_suffix(".html"), paper.with_suffix(".csv")
    words = ("audit", paper, "--bib", paper.parent / "refs.bib", "-l", "demo")
    found = run(*words, "-o", page, "-o", table)
    assert found.code == 1
    assert "1 sentence, 1 citation, 1 checked" in found.out
    assert f"Wrote {page}, {table}." in found.out.replace("\n", "")
    assert page.is_file()
    assert table.is_file()
