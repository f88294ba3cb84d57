"""The files behind benchmarks/train_papers.py and stand_ins.py fit one another and the package."""

from __future__ import annotations

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
