"""A sweep trains every combination, measures the stage alone, and puts seeds together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claimscope.cli.app import app
from tests.tiny_models import REASON, save_pair_model
from tests.unit.train.small_data import small_folder

pytest.importorskip("torch", reason=REASON)
pytest.importorskip("transformers", reason=REASON)

from claimscope.measures import parse_measure
from claimscope.train.stages import combo
from claimscope.train.stages.sweep import RESULTS, Sweep, Trial, summarised

QUICK = ["--set", "batch=8", "--set", "effective_batch=8", "--set", "max_length=48"]


def test_every_combination_is_trained_and_seeds_are_summarised(tmp_path: Path) -> None:
    encoder = save_pair_model(tmp_path / "encoder", 5)
    data = small_folder(tmp_path / "small")
    words = ["train", "--stage", "retrieval", "--data", str(data), "--encoder", str(encoder)]
    words += [*QUICK, "--set", "schedule=linear", "--set", "schedule_epochs=0"]
    words += ["--sweep", "epochs=1,2", "--sweep", "loop.seed=1,2", "-m", "R@5"]
    words += ["--output", str(tmp_path / "sweep")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    written = json.loads((tmp_path / "sweep" / RESULTS).read_text())
    assert [trial["settings"] for trial in written["trials"]] == [
        {"epochs": epochs, "loop.seed": seed} for epochs in "12" for seed in "12"
    ]
    for trial in written["trials"]:
        card = (tmp_path / "sweep" / trial["folder"] / "README.md").read_text()
        assert f'"seed": {trial["settings"]["loop.seed"]}' in card
        assert 0 <= trial["values"]["R@5"] <= 1
    rows = [line for line in done.output.splitlines() if "2 seeds" in line]
    assert len(rows) == 2
    assert all("±" in row for row in rows)
    before = (tmp_path / "sweep" / "01" / "model.safetensors").stat().st_mtime_ns
    assert CliRunner().invoke(app, words).exit_code == 0
    after = (tmp_path / "sweep" / "01" / "model.safetensors").stat().st_mtime_ns
    assert after == before, "what is trained is not trained again"


def test_students_share_their_teachers_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    judged = combo.Combo._judged
    monkeypatch.setattr(
        combo.Combo, "_judged", lambda self, cases: asked.append(len(cases)) or judged(self, cases)
    )
    encoder = save_pair_model(tmp_path / "encoder", 5)
    changes = {
        "data": str(small_folder(tmp_path / "small")),
        "encoder": str(encoder),
        "batch": 4,
        "effective_batch": 4,
        "max_length": 48,
        "epochs": 1,
        "schedule_epochs": 1,
        "patience": 0,
        "examples": {"alpha": 0.0, "relevance": "", "search": {"k": 5}},
    }
    swept = ["loop.seed=1,2"]
    sweep = Sweep("verirel", None, changes, swept, tmp_path / "out", measures=["R@1", "R@5"])
    summaries = sweep.run()
    assert summaries is not None
    assert len(summaries) == 1
    assert sum(asked) == 6, "the teachers read each claim once"
    assert {str(measure) for measure in summaries[0].spreads} == {"R@1", "R@5"}


def test_seeds_are_told_from_other_settings() -> None:
    measure = parse_measure("R@3")
    trials = [
        Trial({"epochs": epochs, "loop.seed": seed}, Path(seed), {measure: value})
        for epochs, seed, value in (("1", "1", 0.5), ("2", "1", 0.8), ("1", "2", 0.7))
    ]
    first, second = summarised(trials)
    assert (first.settings, len(first.trials)) == ("epochs=1", 2)
    assert first.spreads[measure].mean == pytest.approx(0.6)
    assert first.spreads[measure].standard_deviation == pytest.approx(0.02**0.5)
    assert (second.settings, len(second.trials)) == ("epochs=2", 1)


def test_a_stage_that_no_preset_measures_is_refused(tmp_path: Path) -> None:
    words = ["train", "--stage", "dense", "--sweep", "epochs=1,2", "--output", str(tmp_path / "x")]
    result = CliRunner().invoke(app, words)
    assert "cannot be swept" in str(result.exception)
