"""Presets: pipelines as TOML files, with unknown keys refused."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.registry import Resources, build
from claimscope.pipeline.stage import Kind

DEFAULT_PRESET = "claimscope"


@dataclass(frozen=True)
class StageSetting:
    """One stage of a preset: what to build and with which parameters."""

    kind: Kind
    name: str
    parameters: Mapping[str, Any]
    version: str = ""
    """The version of the stage that the preset was written for; empty for the present one."""


@dataclass(frozen=True)
class Preset:
    """A named pipeline, the paper it follows, and the numbers that paper reports."""

    name: str
    summary: str
    stages: tuple[StageSetting, ...]
    paper: str | None = None
    reported: Mapping[str, float] | None = None

    def build(self, resources: Resources) -> Pipeline:
        """Build the pipeline; it is checked on the way."""
        return Pipeline(
            tuple(
                build(setting.kind, setting.name, setting.parameters, resources, setting.version)
                for setting in self.stages
            )
        )


def names() -> list[str]:
    """List the presets that come with the package."""
    return sorted(Path(entry.name).stem for entry in _folder() if entry.name.endswith(".toml"))


def load(name: str) -> Preset:
    """Load a preset by its name, or from a TOML file of the user's own."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise ConfigurationError(f"There is no preset file {name}; check the path.")
        return parse(path.read_text(encoding="utf-8"), name=path.stem, where=name)
    if name not in names():
        raise UnknownNameError("preset", name, names())
    text = files("claimscope.pipeline").joinpath("presets", f"{name}.toml").read_text("utf-8")
    return parse(text, name=name, where=f"preset {name}")


def parse(text: str, name: str, where: str) -> Preset:
    """Read a preset from TOML text."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{where} is not valid TOML: {error}.") from None
    _refuse_unknown(table, {"summary", "paper", "reported", "stages"}, where)
    stages = table.get("stages")
    if not isinstance(stages, list) or not stages:
        raise ConfigurationError(f"{where} has no [[stages]]; add at least a retriever.")
    return Preset(
        name=name,
        summary=str(table.get("summary", "")),
        stages=tuple(_stage(entry, where) for entry in stages),
        paper=table.get("paper"),
        reported=table.get("reported"),
    )


def _stage(entry: Mapping[str, Any], where: str) -> StageSetting:
    parameters = dict(entry)
    try:
        kind, name = str(parameters.pop("kind")), str(parameters.pop("name"))
    except KeyError as error:
        raise ConfigurationError(f"A stage in {where} lacks the key {error}.") from None
    if kind not in set(Kind):
        raise UnknownNameError("kind of stage", kind, list(Kind))
    plain, _, version = name.partition("@")
    return StageSetting(Kind(kind), plain, parameters, version)


def _refuse_unknown(table: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(table.keys() - known)
    if unknown:
        raise ConfigurationError(
            f"{where} has the unknown key {unknown[0]!r}; known keys are: "
            f"{', '.join(sorted(known))}."
        )


def _folder() -> list[Any]:
    return list(files("claimscope.pipeline").joinpath("presets").iterdir())
