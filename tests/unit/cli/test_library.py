import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.qdrant import free_port

from .conftest import Run

RIS = """TY  - JOUR
TI  - Aspirin and the risk of stroke in older adults
AU  - Doe, J.
PY  - 2011
DO  - 10.1000/aspirin.1
AB  - We studied aspirin. Aspirin lowered the risk of stroke.
ER  -

TY  - JOUR
AU  - Nobody
ER  -
"""


@pytest.fixture
def ris(tmp_path: Path) -> Path:
    path = tmp_path / "export.ris"
    path.write_text(RIS)
    return path


def test_a_users_own_papers_become_the_default_library(run: Run, ris: Path) -> None:
    added = run("library", "add", ris)
    assert added.code == 0
    assert "1 added" in added.out
    assert "1 failed" in added.out
    assert "export.ris:9" in added.err
    checked = run("check", "Aspirin lowers the risk of stroke", "--json")
    assert json.loads(checked.out)["candidates"][0]["id"] == "doi:10.1000/aspirin.1"
    assert "demonstration" not in checked.err


def test_adding_again_changes_nothing(run: Run, ris: Path) -> None:
    run("library", "add", ris)
    again = run("library", "add", ris)
    assert "0 added, 0 updated, 1 unchanged" in again.out


def test_failures_can_be_kept(run: Run, ris: Path, tmp_path: Path) -> None:
    kept = tmp_path / "failures.jsonl"
    run("library", "add", ris, "--failures", kept)
    [failure] = [json.loads(line) for line in kept.read_text().splitlines()]
    assert failure["line"] == 9
    assert failure["file"].endswith("export.ris")
    summary = json.loads(run("library", "add", ris, "--json").out)
    assert summary["unchanged"] == 1
    assert len(summary["failed"]) == 1


def test_unknown_files_of_a_folder_are_skipped_and_named_ones_fail(
    run: Run, ris: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes.bin").write_bytes(bytes(range(256)))
    folder = run("library", "add", tmp_path, "--json")
    summary = json.loads(folder.out)
    assert summary["added"] == 1
    assert [Path(item["file"]).name for item in summary["skipped"]] == ["notes.bin"]
    named = run("library", "add", tmp_path / "notes.bin")
    assert named.code == 1
    assert "1 failed" in named.out


def test_skipped_files_are_named_with_the_reason(run: Run, ris: Path, tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"{number:02}.bin").write_bytes(bytes(range(256)))
    kept = tmp_path.with_name("not-read.jsonl")
    added = run("library", "add", tmp_path)
    assert "00.bin: The file is in no format that can be read, so it was skipped." in added.err
    assert "11.bin" not in added.err
    assert "and 2 more were skipped; --failures FILE writes them all." in added.err
    run("library", "add", tmp_path, "--failures", kept)
    rows = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [row["status"] for row in rows] == ["failed", *["skipped"] * 12]
    assert all("no format" in row["reason"] for row in rows[1:])
    assert {tuple(sorted(row)) for row in rows} == {("file", "line", "reason", "status")}


def test_counts_of_one_are_singular(run: Run, tmp_path: Path) -> None:
    paper = {"title": "Aspirin and the risk of stroke in older adults", "doi": "10.1000/a"}
    lines = [json.dumps(paper | {"id": name}) for name in ("a", "b")]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    added = run("library", "add", tmp_path / "x.jsonl").out
    assert "1 was a duplicate and was merged." in added
    assert "1 has no abstract." in added
    assert "1 document," in run("library", "verify").out
    assert "1 document," in run("library", "stats").out


def test_a_language_is_counted_once(run: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"title": name, "language": name}) for name in ("eng", "English", "ger")]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    run("library", "add", tmp_path / "x.jsonl")
    assert "languages: English 2, German 1" in run("library", "stats").out


def test_one_bad_file_does_not_lose_the_others(run: Run, ris: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    added = run("library", "add", tmp_path)
    assert added.code == 0
    assert "1 added" in added.out
    assert "bad.pdf: The PDF cannot be read" in added.err


def test_the_life_of_a_document(run: Run, ris: Path, tmp_path: Path) -> None:
    run("library", "add", ris)
    name = "doi:10.1000/aspirin.1"
    assert name in run("library", "list").out
    assert "Aspirin lowered" in run("library", "show", name).out
    assert json.loads(run("library", "show", name, "--json").out)["year"] == 2011
    assert json.loads(run("library", "stats", "--json").out)["documents"] == 1
    assert "1 document," in run("library", "stats").out
    assert "The library is sound" in run("library", "verify").out
    exported = tmp_path / "out.jsonl"
    assert run("library", "export", exported).code == 0
    assert run("library", "export", tmp_path / "out.ris").code == 0
    assert "Indexed 1" in run("library", "rebuild").out
    assert "Freed" in run("library", "compact").out
    assert "Removed 1 of 1; 0 remain" in run("library", "remove", name).out
    assert run("library", "show", name).code == 2
    assert "1 added" in run("library", "add", exported).out


def test_the_built_in_library_cannot_be_changed(run: Run, ris: Path) -> None:
    result = run("library", "add", ris, "-l", "demo")
    assert result.code == 2
    assert "cannot be changed" in result.err


def test_a_server_that_is_away_is_one_sentence(run: Run) -> None:
    result = run("search", "x", "-l", f"qdrant://localhost:{free_port()}/papers")
    assert result.code == 2
    assert "does not answer; start it or correct the URL." in result.err
    assert "Traceback" not in result.err


def test_help_is_instant() -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "claimscope", "--help"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0


def holds_papers(place: Path) -> bool:
    try:
        with closing(
            sqlite3.connect(f"{(place / 'library.sqlite').as_uri()}?mode=ro", uri=True)
        ) as it:
            return bool(it.execute("SELECT sequence FROM state").fetchone()[0])
    except sqlite3.Error:
        return False


def test_an_interrupted_import_leaves_a_sound_library(tmp_path: Path, run: Run) -> None:
    source = tmp_path / "many.jsonl"
    with source.open("w") as file:
        for number in range(60_000):
            record = {"id": f"d{number}", "title": f"Paper {number}", "abstract": "One. Two."}
            file.write(json.dumps(record) + "\n")
    place = tmp_path / "lib"
    words = [sys.executable, "-m", "claimscope", "library", "add", str(source), "-l", str(place)]
    process = subprocess.Popen(
        words,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts the tests in the background makes them deaf to this signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not holds_papers(place) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(2)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert "The library is sound" in run("library", "verify", "-l", place).out


def test_a_file_name_that_is_no_text_is_still_named(run: Run, tmp_path: Path) -> None:
    import os

    name = os.fsencode(tmp_path) + b"/caf\xe9.ris"
    with open(name, "wb") as file:
        file.write(b"TY  - JOUR\nAU  - Nobody\nER  -\n")
    kept = tmp_path / "failures.jsonl"
    result = run("library", "add", tmp_path, "--failures", kept)
    assert "1 failed" in result.out
    assert "caf" in json.loads(kept.read_text())["file"]
    assert run("library", "add", tmp_path, "--json").code == 1


def test_removing_an_unknown_paper_is_an_error_and_removes_nothing(run: Run, ris: Path) -> None:
    run("library", "add", ris)
    for words in (("nosuch",), ("doi:10.1000/aspirin.1", "nosuch")):
        result = run("library", "remove", *words)
        assert (result.code, result.out) == (2, "")
        assert "no document 'nosuch'" in result.err
        assert len(result.err.splitlines()) == 1
    assert json.loads(run("library", "stats", "--json").out)["documents"] == 1


def test_the_last_change_can_be_undone(run: Run, ris: Path) -> None:
    run("library", "add", ris)
    run("library", "remove", "doi:10.1000/aspirin.1")
    undone = run("library", "undo")
    assert undone.code == 0
    assert undone.out.startswith("Undid the 'remove' of ")
    assert "1 paper restored" in undone.out
    assert run("search", "aspirin").code == 0
    again = run("library", "undo")
    assert (again.code, again.out) == (2, "")
    assert "no change to undo" in again.err


@pytest.mark.parametrize(
    "name",
    ["10.1000/ASPIRIN.1", "https://doi.org/10.1000/aspirin.1", "aspirin and the risk of stroke"],
)
def test_show_and_why_take_what_people_know_a_paper_by(run: Run, ris: Path, name: str) -> None:
    run("library", "add", ris)
    shown = run("library", "show", name, "--json")
    assert json.loads(shown.out)["id"] == "doi:10.1000/aspirin.1"
    asked = ("why", "Aspirin lowers the risk of stroke", name, "-p", "lexical-baseline")
    assert json.loads(run(*asked, "--json").out)["document_id"] == "doi:10.1000/aspirin.1"
    assert "doi:10.1000/aspirin.1" in run(*asked).out


def test_a_merged_records_id_leads_to_the_paper(run: Run, ris: Path, tmp_path: Path) -> None:
    run("library", "add", ris)
    title = "Aspirin and the risk of stroke in older adults"
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"id": "mine", "title": title, "doi": "10.1000/aspirin.1"}) + "\n")
    assert "1 was a duplicate" in run("library", "add", other).out
    assert json.loads(run("library", "show", "mine", "--json").out)["year"] == 2011
    asked = run("why", "Aspirin lowers the risk of stroke", "mine", "-p", "lexical-baseline")
    assert asked.code == 0
