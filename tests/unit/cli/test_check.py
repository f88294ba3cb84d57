import io
import json
import sys
from pathlib import Path

import pytest

from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.preset import DEFAULT_PRESET

from .conftest import Run

CLAIM = "Aspirin lowers the risk of heart attack"


def test_a_newcomer_gets_an_answer_from_the_built_in_library(run: Run) -> None:
    # The claim of the README's first command.
    result = run("check", "Dexamethasone lowers mortality in ventilated COVID-19 patients")
    assert result.code == 0
    assert "demonstration library" in result.err
    assert any(label.verdict in result.out for label in Label)
    assert "demo-recovery-dexamethasone-2021" in result.out
    assert "»" in result.out, "evidence is marked where there is no colour"


def test_the_larger_verifier_of_the_repository_says_what_the_trial_says(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_MODELS", str(Path(__file__).parents[3] / "models"))
    words = ("check", "Dexamethasone lowers mortality in ventilated COVID-19 patients")
    result = run(*words, "--preset", "accurate", "--json")
    assert json.loads(result.out)["verdict"]["label"] == "SUPPORTED"


def test_a_compound_claim_is_shown_part_by_part(run: Run, library: LocalLibrary) -> None:
    words = ("check", f"{CLAIM}, and vitamin D prevents falls", "-l", library.location)
    shown = run(*words)
    assert shown.code == 0
    for part in ("Part 1 of 2", CLAIM, "Part 2 of 2", "Vitamin D prevents falls"):
        assert part in shown.out
    assert "Part 1" not in run(*words, "--whole").out
    assert "parts" not in json.loads(run(*words, "--whole", "--json").out)


def test_json_is_one_line_a_claim_and_the_same_each_time(run: Run, library: LocalLibrary) -> None:
    words = ("check", CLAIM, "Tea cures colds", "--json", "-l", library.location)
    first, again = run(*words), run(*words)
    assert first.out == again.out
    one, two = (json.loads(line) for line in first.out.splitlines())
    assert one["claim"]["text"] == CLAIM
    assert "aspirin" in {each["id"] for each in one["candidates"]}
    assert "tea" in {each["id"] for each in two["candidates"]}
    assert first.err == ""


def test_claims_come_from_standard_input(
    run: Run, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = f'{CLAIM}\n\n{{"id": "x", "claim": "Coffee delays sleep"}}\n{{"id": 1}}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    result = run("check", "-", "--json", "-l", library.location)
    assert [json.loads(line)["claim"]["id"] for line in result.out.splitlines()] == ["1", "x"]
    assert "line 4" in result.err
    assert result.code == 1


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("x" * 100_000, "100,000 characters"),
        ("a\x00b", "control character (U+0000)"),
    ],
)
def test_what_is_no_claim_gets_one_sentence(
    run: Run, library: LocalLibrary, claim: str, said: str
) -> None:
    result = run("check", claim, "-l", library.location)
    assert result.code == 2
    assert result.out == ""
    assert said in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("💊", "no letters"),
        ("الأسبرين يقلل من خطر", "does not look like English"),
        ("Aspirin verhindert das Herz und ist gut", "does not look like English"),
    ],
)
def test_unusual_claims_are_answered_with_a_caution(
    run: Run, library: LocalLibrary, claim: str, said: str
) -> None:
    result = run("check", claim, "-l", library.location)
    assert result.code == 0
    assert said in result.out
    assert "NOT_ENOUGH_INFO" in result.out


def test_search_ranks_and_says_when_there_is_nothing(run: Run, library: LocalLibrary) -> None:
    found = run("search", "aspirin", "-k", 2, "-l", library.location)
    assert found.out.count("aspirin") >= 2
    nothing = run("search", "zzyzx", "-l", library.location)
    assert "No paper" in nothing.out
    rows = run("search", "aspirin", "--json", "-l", library.location).out.splitlines()
    assert [json.loads(row)["rank"] for row in rows] == list(range(1, len(rows) + 1))


def test_why_names_the_stage(run: Run, library: LocalLibrary) -> None:
    result = run("why", "Zebra stripes", "ice", "-l", library.location)
    assert "Dropped at retrieve.bm25" in result.out
    unknown = run("why", CLAIM, "unicorn", "-l", library.location)
    assert unknown.code == 2
    assert "unicorn" in unknown.err


def test_a_preset_is_chosen_by_name(run: Run, library: LocalLibrary) -> None:
    result = run("check", CLAIM, "--preset", "nope", "-l", library.location)
    assert result.code == 2
    assert "lexical-baseline" in result.err
    listed = run("presets")
    assert f"{DEFAULT_PRESET} (default)" in listed.out
    assert "retrieve.bm25(k = 10)" in run("presets", "lexical-baseline").out


def test_doctor_finds_a_sound_library(run: Run, library: LocalLibrary) -> None:
    result = run("doctor", "-l", library.location)
    assert result.code == 0
    assert "10 documents, sound" in result.out
    assert "preset lexical-baseline: ready" in result.out


def test_text_cannot_move_the_cursor_or_reverse_the_reading(run: Run) -> None:
    from claimscope.cli.styles import clean

    assert clean("a\x1b[31mb\u202ec") == "a [31mb c"


def test_a_batch_makes_no_folder_with_the_name_of_a_file(run: Run, tmp_path: Path) -> None:
    claims, wrong = tmp_path / "claims.txt", tmp_path / "results.jsonl"
    claims.write_text(CLAIM)
    refused = run("batch", claims, "-l", "demo", "-p", "lexical-baseline", "-o", wrong)
    assert refused.code == 2
    assert f"such as {tmp_path / 'results'}" in refused.err
    assert not wrong.exists()
