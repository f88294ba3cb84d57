"""The files behind benchmarks/train_papers.py and stand_ins.py fit one another and the package."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from typing import Any

import pytest

from claimscope.pipeline import preset
from tests.tiny_models import REASON

pytest.importorskip("torch", reason=REASON)

from claimscope.train.stages.recipes import changes_of, stage_config

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks"


def read(name: str, key: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((FOLDER / name).read_text("utf-8"))[key]
    return rows


@pytest.mark.parametrize("run", read("trainings.toml", "runs"), ids=lambda run: run["name"])
def test_every_training_has_settings_that_work(run: dict[str, Any]) -> None:
    chosen = preset.load(run["preset"]) if "preset" in run else None
    start = [f"encoder={run['starts_from']}"] if "starts_from" in run else []
    config = stage_config(run["stage"], chosen, changes_of([*run["settings"], *start]))
    assert config.encoder in ("", "all-minilm-l6-v2", run.get("starts_from"))


def test_a_run_comes_after_the_one_it_starts_from() -> None:
    before: set[str] = set()
    for run in read("trainings.toml", "runs"):
        assert run.get("starts_from", run["name"]) in {*before, run["name"]}, run["name"]
        before.add(run["name"])


def test_every_stand_in_stands_beside_a_row_and_names_models_that_are_trained() -> None:
    rows = read("conditions.toml", "rows")
    made = {run["name"] for run in read("trainings.toml", "runs")} | {"verifier"}
    for each in read("stand_ins.toml", "systems"):
        assert any(
            row["paper"] == each["paper"]
            and row["table"] in each["tables"]
            and row["setting"].startswith(each["setting"])
            for row in rows
        ), each
        loaded = preset.load(str(FOLDER / "systems" / f"{each['system']}.toml"))
        models = {
            stage.parameters["model"] for stage in loaded.stages if "model" in stage.parameters
        }
        assert models <= {f".benchmarks/models/{name}" for name in made}


def comparable() -> Any:
    spec = importlib.util.spec_from_file_location("comparable", FOLDER / "comparable.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ROWS = read("conditions.toml", "rows")


def row(preset_name: str, beginning: str, measure: str = "") -> dict[str, Any]:
    return next(
        each
        for each in ROWS
        if each["system"] == preset_name
        and each["setting"].startswith(beginning)
        and measure in each["measure"]
    )


@pytest.mark.parametrize(
    ("name", "setting", "measure", "why"),
    [
        ("climate", "BM25 top 4 and top 1", "climate-F", ""),
        ("climate", "BM25 top 3 and top 1", "climate-F", "another system"),
        ("climate", "width 256", "climate-F", "another system"),
        ("climate", "gold evidence", "climate-A", "another system"),
        ("comboscorer", "ComboScorer, N = 5", "R@3", "another system"),
        ("scifchex-scibert", "BM25 20, SciBERT, selector SciBERT, label RoBERTa*", "F1", ""),
        ("scifchex-scibert", "BM25 20, SciBERT, selector BioBERT", "F1", "another system"),
        ("monot5-t5", "BM25 100, monoT5, k = 3", "macro-R@3", ""),
        ("monot5-t5", "BM25 100, monoT5, k = 5", "macro-R@5", "keeps 3"),
    ],
)
def test_unlike_figures_are_not_compared(name: str, setting: str, measure: str, why: str) -> None:
    found = comparable().difference(row(name, setting, measure), preset.load(name))
    assert why in found
    assert bool(why) == bool(found)


def test_every_setting_that_is_a_presets_own_is_one_of_the_papers() -> None:
    for name, papers in comparable().SAME.items():
        for paper, settings in papers.items():
            for setting in settings:
                assert row(name, setting)["paper"] in papers, (name, paper, setting)


ALONE = {("vert5erini", "7"), ("vert5erini", "8"), ("bert-t5-study", "4"), ("bert-t5-study", "5")}


def test_a_stage_that_a_paper_measures_alone_is_evaluated_alone() -> None:
    modes = {
        (each["paper"], each["table"], each["system"]): each["mode"]
        for each in ROWS
        if (each["paper"], each["table"])
        in {
            ("vert5erini", "7"),
            ("vert5erini", "8"),
            ("bert-t5-study", "4"),
            ("bert-t5-study", "5"),
        }
    }
    assert {mode for (_, table, _), mode in modes.items() if table in "47"} == {"selector-alone"}
    assert modes["vert5erini", "8", "verisci"] == "labeller-tfidf"
    assert modes["bert-t5-study", "5", "vert5erini"] == "labeller-tfidf"
    assert modes["bert-t5-study", "5", "monot5-t5"] == "labeller-bm25"
