import json
from pathlib import Path

import pytest

from tests.unit.evaluate.small import CLAIMS, DOCUMENTS, MAJORITY, SEARCH

from .conftest import Run

_SPELLING = {"SUPPORTS": "SUPPORT", "REFUTES": "CONTRADICT"}


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small data set in SciFact's format, where the command looks for SciFact."""
    folder = tmp_path / "data" / "scifact"
    folder.mkdir(parents=True)
    corpus = [
        {"doc_id": name, "title": title, "abstract": sentences}
        for name, (title, sentences) in DOCUMENTS.items()
    ]
    claims = [
        {
            "id": int(each.claim.id),
            "claim": each.claim.text,
            "evidence": {
                name: [
                    {"sentences": sorted(rationale), "label": _SPELLING[found.label.value]}
                    for rationale in found.rationales
                ]
                for name, found in (each.evidence or {}).items()
                if found.label
            },
        }
        for each in CLAIMS
    ]
    for name, records in (("corpus", corpus), ("claims_dev", claims)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines)
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(tmp_path / "data"))
    return folder


@pytest.fixture
def preset(tmp_path: Path) -> Path:
    path = tmp_path / "majority.toml"
    path.write_text(MAJORITY)
    return path


def test_a_preset_is_scored_with_intervals(run: Run, preset: Path) -> None:
    result = run("evaluate", "--dataset", "scifact", "--preset", preset)
    assert result.code == 0
    assert "SciFact, dev: 5 claims" in result.out
    row = next(line for line in result.out.splitlines() if "abstract-label-only F1" in line)
    assert "0.4000" in row
    assert "[" in row


def test_json_has_the_same_numbers_again_from_the_kept_run(
    run: Run, preset: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    first = run("evaluate", "-d", "scifact", "-p", preset, "-o", kept, "--json")
    again = run("evaluate", "--run", kept, "--json")
    assert json.loads(first.out) == json.loads(again.out)
    [record] = json.loads(first.out)["runs"]
    assert record["scores"]["R@1"]["value"] == pytest.approx(0.6)
    assert record["run"]["preset"] == "majority"


def test_several_presets_stand_side_by_side(run: Run, preset: Path, tmp_path: Path) -> None:
    search = tmp_path / "search.toml"
    search.write_text(SEARCH)
    result = run("evaluate", "-d", "scifact", "-p", preset, "-p", search, "-o", tmp_path / "kept")
    assert result.code == 0
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"majority-open", "search-open"}
    assert "paired randomisation test" in " ".join(result.out.split())
    assert "search: This pipeline has no stage that judges" in result.out


def test_measures_are_chosen_by_name(run: Run, preset: Path) -> None:
    result = run("evaluate", "-d", "scifact", "-p", preset, "-m", "R@2", "--json")
    assert list(json.loads(result.out)["runs"][0]["scores"]) == ["R@2"]
    wrong = run("evaluate", "-d", "scifact", "-p", preset, "-m", "recall")
    assert wrong.code == 2
    assert "no measure named 'recall'" in wrong.err


def test_a_prediction_file_is_scored(run: Run, preset: Path, tmp_path: Path) -> None:
    run("evaluate", "-d", "scifact", "-p", preset, "-o", tmp_path / "kept")
    file = tmp_path / "kept" / "predictions.jsonl"
    result = run("evaluate", "-d", "scifact", "--predictions", file, "--json")
    scores = json.loads(result.out)["runs"][0]["scores"]
    assert scores["abstract-label-only F1"]["value"] == pytest.approx(0.4)
    assert "--dataset" in run("evaluate", "--predictions", file).err


def test_a_report_is_written(run: Run, preset: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = run("evaluate", "-d", "scifact", "-p", preset, "--report", page)
    assert f"Wrote {page}." in " ".join(result.err.split())
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["missing/report.html", "folder"])
def test_a_report_that_cannot_be_written_is_told_before_anything_is_run(
    run: Run, preset: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / "folder").mkdir()
    kept, page = tmp_path / "kept", tmp_path / name
    result = run("evaluate", "-d", "scifact", "-p", preset, "-o", kept, "--report", page)
    assert (result.code, result.out) == (2, "")
    assert "Cannot write" in result.err
    assert not kept.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"data", "folder", "majority.toml"}


def test_a_prediction_file_has_no_report_and_is_not_read_for_one(run: Run, tmp_path: Path) -> None:
    words = ("--predictions", tmp_path / "absent.jsonl", "--report", tmp_path / "report.html")
    result = run("evaluate", "-d", "scifact", *words)
    assert result.code == 2
    assert "too little for a report" in result.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "give --dataset, --run or --predictions"),
        (("-d", "scifact", "--mode", "half"), "There is no mode named 'half'"),
        (("-d", "scifact", "--seeds", "one"), "are not seeds"),
        (("-d", "scifact", "--seeds", "1,2"), "takes a seed"),
        (("-d", "nothing"), "There is no data set named 'nothing'"),
        (("-d", "scifact", "--split", "night"), "There is no split of scifact named 'night'"),
        (("--run", "nowhere"), "There is no run in nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(
    run: Run, words: tuple[str, ...], says: str
) -> None:
    result = run("evaluate", *words)
    assert result.code == 2
    assert says in result.err
    assert result.out == ""
