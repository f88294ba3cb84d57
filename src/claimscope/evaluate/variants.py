"""Variants of a preset: every combination of some values of its settings."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from claimscope.errors import ConfigurationError
from claimscope.pipeline.preset import Preset, StageSetting


def combinations(words: Sequence[str]) -> list[dict[str, str]]:
    """Give every combination of settings such as "epochs=5,10", the last one varying fastest."""
    tried = [_values(word) for word in words]
    keys = [key for key, _ in tried]
    repeated = sorted({key for key in keys if keys.count(key) > 1})
    if repeated:
        raise ConfigurationError(
            f"{repeated[0]!r} is swept twice; give all its values at once, separated by commas."
        )
    chosen = product(*(values for _, values in tried))
    return [dict(zip(keys, values, strict=True)) for values in chosen]


def _values(word: str) -> tuple[str, list[str]]:
    key, sign, values = word.partition("=")
    found = [value.strip() for value in values.split(",")]
    if not sign or not key.strip() or not all(found):
        raise ConfigurationError(
            f"{word!r} cannot be swept; write a setting and its values as key=value,value."
        )
    return key.strip(), found


def words_of(changes: dict[str, str]) -> str:
    """Name a combination by its settings."""
    return ", ".join(f"{key}={value}" for key, value in changes.items())


def variants(preset: Preset, words: Sequence[str]) -> list[Preset]:
    """Give the preset with every combination of values, from "rerank.drop-off.drop=0.01,0.05"."""
    if not words:
        return [preset]
    return [_changed(preset, changes) for changes in combinations(words)]


def _changed(preset: Preset, changes: dict[str, str]) -> Preset:
    for key, value in changes.items():
        stage, _, parameter = key.rpartition(".")
        preset = with_parameter(preset, stage, parameter, _parsed(value))
    return replace(preset, name=f"{preset.name}, {words_of(changes)}")


def with_parameter(preset: Preset, stage: str, parameter: str, value: Any) -> Preset:
    """Give the preset with another value of a parameter of a stage such as "rerank.drop-off"."""
    if stage not in {_id(each) for each in preset.stages}:
        known = ", ".join(_id(each) for each in preset.stages)
        raise ConfigurationError(
            f"The preset {preset.name} has no stage {stage!r}; write a parameter as "
            f"stage.parameter=value, with one of the stages {known}."
        )
    stages = tuple(
        replace(each, parameters={**each.parameters, parameter: value})
        if _id(each) == stage
        else each
        for each in preset.stages
    )
    return replace(preset, stages=stages)


def _id(setting: StageSetting) -> str:
    return f"{setting.kind}.{setting.name}"


def _parsed(value: str) -> Any:
    """Read a number or a truth value; all else is a text."""
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value
