"""Presets: pipelines as TOML files, the models they need, and abstention."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import Any

from claimscope.errors import ConfigurationError, InputError, MissingModelError, UnknownNameError
from claimscope.models.catalogue import CHECKPOINTS
from claimscope.models.locate import Locator, advice, models_folder
from claimscope.models.verifier.settings import read_verifier
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
    return parse(text_of(name), *_names(name))


def text_of(name: str) -> str:
    """Give the TOML text of a preset by its name, or of a file of the user's own."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise ConfigurationError(f"There is no preset file {name}; check the path.")
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"The preset file {name} is not UTF-8 ({error}).") from None
    if name not in names():
        raise UnknownNameError("preset", name, names())
    return files("claimscope.pipeline").joinpath("presets", f"{name}.toml").read_text("utf-8")


def _names(name: str) -> tuple[str, str]:
    """Give a preset's own name, and how messages name it."""
    return (Path(name).stem, name) if name.endswith(".toml") else (name, f"preset {name}")


def parse(text: str, name: str, where: str) -> Preset:
    """Read a preset from TOML text."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{where} is not valid TOML: {error}.") from None
    except RecursionError:
        raise ConfigurationError(f"{where} is nested too deeply to be a preset.") from None
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


def _stage(entry: object, where: str) -> StageSetting:
    if not isinstance(entry, dict):
        raise ConfigurationError(
            f"A stage in {where} is {entry!r} and no table; write it under [[stages]]."
        )
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


@dataclass(frozen=True, slots=True)
class Need:
    """A model that a preset names."""

    model: str
    present: bool
    megabytes: int | None
    folder: Path
    """Where it is, or where it is to be put."""
    advice: str
    """What it is and how to come by it, in words."""


def needs(preset: Preset, locator: Locator | None = None) -> list[Need]:
    """List the models a preset names, in the order of its stages, each once."""
    named = [name for stage in preset.stages for name in _models(stage.parameters)]
    return [_need(name, locator or Locator()) for name in dict.fromkeys(named)]


def _models(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Find the models in a stage's parameters and in those of its members."""
    for key, value in parameters.items():
        if key == "model" and isinstance(value, str):
            yield value
        for member in value if isinstance(value, list) else [value]:
            if isinstance(member, Mapping):
                yield from _models(member)


def _need(name: str, locator: Locator) -> Need:
    row = CHECKPOINTS.get(name)
    try:
        found = locator.find(name)
    except (MissingModelError, InputError) as error:
        words = advice(row) if row else str(error)
        size = row.megabytes if row else None
        return Need(name, False, size, models_folder() / name, words)
    size = row.megabytes if row else None
    return Need(name, True, size, found.folder, f"{found.checkpoint.about or name}, found")


def with_max_error(preset: Preset, max_error: float) -> tuple[Preset, float]:
    """Give the preset with the threshold its verifier's risk curve names, and that threshold.

    The curve was measured on held-out claims when the verifier was calibrated.
    """
    if not 0 < max_error < 1:
        raise ConfigurationError(
            f"A tolerated share of errors lies between 0 and 1, not at {max_error:g}; write 10% or "
            "0.1."
        )
    curve = _curve(preset)
    threshold = least_probability(curve, max_error)
    if threshold is None:
        least = ceil(100 * min(wrong for _, wrong in curve))
        raise ConfigurationError(
            f"The verifier of preset {preset.name} reached no error rate of {max_error:.0%} on its "
            f"calibration claims; allow a larger share of errors, {least}% or more."
        )
    stages = tuple(_with_threshold(each, threshold) for each in preset.stages)
    return replace(preset, stages=stages), threshold


def with_weights(preset: Preset, weigh: str) -> Preset:
    """Give the preset with another way to weigh evidence; its rule must weigh evidence at all."""
    rule = preset.stages[-1]
    if (rule.kind, rule.name) != (Kind.DECIDE, "weighted-vote"):
        raise ConfigurationError(
            f"Preset {preset.name} decides by {rule.name}, which does not weigh evidence; choose a "
            "preset whose rule is weighted-vote, such as claimscope."
        )
    changed = replace(rule, parameters={**rule.parameters, "weigh": weigh})
    return replace(preset, stages=(*preset.stages[:-1], changed))


def least_probability(curve: Sequence[tuple[float, float]], max_error: float) -> float | None:
    """Give the lowest probability at which the share of wrong labels stays within the limit."""
    fitting = [probability for probability, wrong in curve if wrong <= max_error]
    return min(fitting, default=None)


def _curve(preset: Preset) -> tuple[tuple[float, float], ...]:
    locator = Locator()
    for setting in preset.stages:
        model = setting.parameters.get("model")
        if setting.kind is Kind.JUDGE and model is not None:
            curve = read_verifier(locator.find(str(model)).folder).risk
            if curve:
                return curve
    raise ConfigurationError(
        f"Preset {preset.name} has no calibrated verifier, so its share of errors is unknown; "
        "choose another preset or leave out the tolerated share of errors."
    )


def _with_threshold(setting: StageSetting, threshold: float) -> StageSetting:
    if setting.kind is not Kind.DECIDE:
        return setting
    return replace(setting, parameters={**setting.parameters, "threshold": threshold})
