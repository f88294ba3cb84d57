"""Which configuration trains a stage: by the stage's name, or by the model a preset names."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.catalogue import find_checkpoint
from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.pipeline.preset import Preset, StageSetting
from claimscope.pipeline.stage import Kind
from claimscope.train.stages.config import StageConfig, merged, parse_stage
from claimscope.train.tables import read_table

STAGES: Mapping[str, str] = MappingProxyType(
    {
        "retrieval": "scifchex-title",
        "rationale": "scifchex-rationale",
        "label": "scifchex-label",
        "label-fever": "label-fever",
        "verirel": "verirel-student",
        "verirel-roberta": "verirel-student-roberta",
        "verirel-longformer": "verirel-student-longformer",
        "dense": "dense",
        "vectors": "vectors",
        "climate-cross-encoder": "climate-cross-encoder",
        "climate-label": "climate-label",
        "climate-bi-encoder": "climate-bi-encoder",
        "climate-rnn": "climate-rnn",
        "climate-lstm": "climate-lstm",
        "climate-gru": "climate-gru",
    }
)
"""The configuration of each stage where no preset is named."""

_GENERAL = frozenset({"retrieval", "rationale", "label"})
"""Stages that each preset trains in its own way."""

_OF_PRESET = {
    "retrieval": ((Kind.RERANK, "relevance"),),
    "rationale": ((Kind.SELECT, "relevance"),),
    "label": ((Kind.JUDGE, "rationale"), (Kind.DECIDE, "classifier")),
    **dict.fromkeys(
        ("verirel", "verirel-roberta", "verirel-longformer"), ((Kind.RERANK, "relevance"),)
    ),
    "climate-cross-encoder": ((Kind.RERANK, "relevance"),),
    "climate-label": ((Kind.DECIDE, "classifier"),),
}
"""The pipeline stages whose model a training stage makes."""

_BY_MODEL = (
    ("scifchex-title-", "scifchex-title"),
    ("scifchex-rationale-", "scifchex-rationale"),
    ("scifchex-label-", "scifchex-label"),
    ("monot5-", "vert5erini-abstract"),
    ("monobert-", "monobert-abstract"),
)
"""Models that share a configuration, by how their names begin; others have one of their own."""


def stage_config(
    stage: str, preset: Preset | None = None, changes: Mapping[str, Any] | None = None
) -> StageConfig:
    """Give the configuration of a stage, or of the model that a preset names for it."""
    if stage not in STAGES:
        raise UnknownNameError("stage to train", stage, STAGES)
    if preset is None:
        return parse_stage(merged(own_table(STAGES[stage]), changes or {}), f"stage {stage}")
    row = find_checkpoint(model_of(preset, stage))
    recipe = _recipe(row, preset)
    if stage not in _GENERAL and recipe != STAGES[stage]:
        raise _none(preset, stage)
    table = merged(own_table(recipe), _settings_of(row))
    return parse_stage(merged(table, changes or {}), f"stage {stage} of preset {preset.name}")


def model_of(preset: Preset, stage: str) -> str:
    """Name the model that a preset uses for a stage."""
    return str(_setting_of(preset, stage).parameters["model"])


def place_of(preset: Preset, stage: str) -> str:
    """Name the pipeline's stage whose model a training stage makes, such as rerank.relevance."""
    setting = _setting_of(preset, stage)
    return f"{setting.kind}.{setting.name}"


def _setting_of(preset: Preset, stage: str) -> StageSetting:
    wanted = _OF_PRESET.get(stage, ())
    for setting in preset.stages:
        if (setting.kind, setting.name) in wanted and "model" in setting.parameters:
            return setting
    raise _none(preset, stage)


def _none(preset: Preset, stage: str) -> ConfigurationError:
    return ConfigurationError(
        f"The preset {preset.name} has no model for the stage {stage!r}; choose another stage."
    )


def changes_of(words: Iterable[str]) -> dict[str, Any]:
    """Read changes such as "loop.learning_rate=1e-4"; what is no TOML value is a text."""
    changes: dict[str, Any] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key.strip():
            raise ConfigurationError(f"{word!r} changes nothing; write a setting as key=value.")
        changes = merged(changes, _change(key.strip(), value.strip()))
    return changes


def _change(key: str, value: str) -> dict[str, Any]:
    try:
        return tomllib.loads(f"{key} = {value}")
    except tomllib.TOMLDecodeError:
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    try:
        return tomllib.loads(f'{key} = "{quoted}"')
    except tomllib.TOMLDecodeError:
        raise ConfigurationError(
            f"{key!r} is no name of a setting; use letters and dots."
        ) from None


def own_table(name: str) -> dict[str, Any]:
    """Read a configuration that comes with the package."""
    return read_table(_path(name))


def _path(name: str) -> Path:
    return Path(str(files("claimscope.train") / "configs" / f"{name}.toml"))


def _published(preset: Preset, row: Checkpoint) -> ConfigurationError:
    return ConfigurationError(
        f"The preset {preset.name} uses the published model {row.name} as it is; there is nothing "
        "to train for that stage."
    )


def _recipe(row: Checkpoint, preset: Preset) -> str:
    for beginning, name in _BY_MODEL:
        if row.name.startswith(beginning):
            return name
    if not _path(row.name).is_file():
        raise _published(preset, row)
    return row.name


def _settings_of(row: Checkpoint) -> dict[str, Any]:
    """Give what the table of models says of a model; its own recipe may say more."""
    published = row.source is not None and "://" not in row.source
    encoder = row.source if published else row.base
    names = row.targets if row.shape is Shape.PROMPT else row.labels
    said: dict[str, Any] = {"name": row.name, "evidence_first": row.evidence_first}
    said |= {"max_length": row.max_length, "labels": list(names)}
    if encoder:
        said["encoder"] = encoder
    if row.template:
        said["template"] = row.template
    return said
