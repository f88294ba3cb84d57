"""Every number of the papers, pinned with its section: a change of one fails here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from claimscope.models.catalogue import CHECKPOINTS
from claimscope.pipeline import registry
from claimscope.pipeline.stage import Kind

PINNED: dict[str, Any] = tomllib.loads((Path(__file__).parent / "numbers.toml").read_text("utf-8"))
PRESETS = files("claimscope.pipeline") / "presets"
TRAININGS = files("claimscope.train") / "configs"


def tables(folder: Any) -> dict[str, dict[str, Any]]:
    return {
        entry.name.removesuffix(".toml"): tomllib.loads(entry.read_text("utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    }


def pins(kind: str, name: str) -> dict[str, Any]:
    """Give the pinned values; each has to say where it comes from."""
    found = PINNED[kind][name]
    assert all(source for _, source in found.values())
    return {key: value for key, (value, _) in found.items()}


def settings_of_preset(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for number, stage in enumerate(table["stages"], start=1):
        name = f"{stage['kind']}.{stage['name'].split('@')[0]}"
        yield f"{number} stage", name
        for key, value in stage.items():
            if key not in {"kind", "name"}:
                yield f"{number} {name}.{key}", value
    for measure, value in table.get("reported", {}).items():
        yield f"reported {measure}", value


def flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{key}.")
        elif before + key != "paper":
            yield before + key, value


@pytest.mark.parametrize("name", sorted({*PINNED["presets"], *tables(PRESETS)}))
def test_a_preset_has_the_papers_numbers(name: str) -> None:
    assert dict(settings_of_preset(tables(PRESETS)[name])) == pins("presets", name)


@pytest.mark.parametrize("name", sorted({*PINNED["training"], *tables(TRAININGS)}))
def test_a_training_has_the_papers_numbers(name: str) -> None:
    assert dict(flat(tables(TRAININGS)[name])) == pins("training", name)


def test_every_model_reads_as_its_paper_says() -> None:
    found = {
        row.name: [
            str(row.shape),
            "evidence first" if row.evidence_first else "claim first",
            row.max_length,
            list(row.labels),
            row.template,
            list(row.targets),
            row.base or "",
        ]
        for row in CHECKPOINTS.values()
    }
    assert found == {name: value for name, (value, _) in PINNED["models"].items()}


def defaults(classes: Mapping[str, type]) -> dict[str, str]:
    found = {}
    for name, each in classes.items():
        for item in fields(each):  # type: ignore[arg-type]
            value = item.default if item.default is not MISSING else item.default_factory
            if item.default is MISSING and item.default_factory is not MISSING:
                value = item.default_factory()
            if (
                item.init
                and item.name not in {"library", "gold", "models"}
                and value is not MISSING
            ):
                found[f"{name}.{item.name}"] = repr(value)
    return found


def test_every_stage_has_its_defaults() -> None:
    stages = {
        f"{kind}.{name}": point.load()
        for kind in Kind
        for name, point in registry.available(kind).items()
    }
    wanted = {key: each for key, each in PINNED["defaults"].items() if not key.startswith("train.")}
    assert defaults(stages) == wanted


def test_every_builder_of_examples_has_its_defaults() -> None:
    pytest.importorskip("torch", reason="training needs it: pip install '.[train]'")
    from claimscope.train.claims import Search
    from claimscope.train.optimiser import LoopSettings
    from claimscope.train.stages.config import BUILDERS
    from claimscope.train.stages.scratch import Scratch

    classes = (*BUILDERS.values(), Scratch, Search, LoopSettings)
    wanted = {key: each for key, each in PINNED["defaults"].items() if key.startswith("train.")}
    assert defaults({f"train.{each.__name__}": each for each in classes}) == wanted
