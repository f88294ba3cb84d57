"""Finds stages by name through entry points and builds them from plain parameters."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.library.protocol import Library
from claimscope.models.loader import Models
from claimscope.pipeline.stage import Kind, Stage
from claimscope.types import Gold


@dataclass(frozen=True)
class Resources:
    """What stages may need besides parameters; a stage names it in its constructor to get it."""

    library: Library | None = None
    gold: Gold | None = None
    """By claim id and document id; for the oracle stages of an evaluation."""
    models: Models = field(default_factory=Models)
    """Opened when a stage first runs, so that pipelines can be built without weights."""


_RESOURCE_NAMES = frozenset(item.name for item in fields(Resources))


def available(kind: Kind) -> dict[str, EntryPoint]:
    """Give the registered stages of a kind by name."""
    return {point.name: point for point in sorted(_points(kind), key=lambda point: point.name)}


def _points(kind: Kind) -> typing.Iterable[EntryPoint]:
    return entry_points(group=f"claimscope.{kind}")


def build(
    kind: Kind,
    name: str,
    parameters: Mapping[str, Any],
    resources: Resources,
    version: str = "",
) -> Stage:
    """Build a stage; an unknown name, parameter or type is refused in one sentence.

    With a version, as presets write it ("bm25@1"), a stage of another version is refused.
    """
    known = available(kind)
    if name not in known:
        raise UnknownNameError(f"{kind} stage", name, known)
    factory = known[name].load()
    where = f"{kind}.{name}"
    _check_version(where, version, getattr(factory, "version", 1))
    arguments: dict[str, Any] = {}
    signature = inspect.signature(factory)
    # Of a dataclass the class itself is asked, since inherited fields have types of other modules.
    hints = typing.get_type_hints(factory if is_dataclass(factory) else factory.__init__)
    unknown = parameters.keys() - (signature.parameters.keys() - _RESOURCE_NAMES)
    if unknown:
        allowed = sorted(signature.parameters.keys() - _RESOURCE_NAMES) or ["none"]
        raise ConfigurationError(
            f"Stage {where} has no parameter {', '.join(sorted(map(repr, unknown)))}; "
            f"its parameters are: {', '.join(allowed)}."
        )
    for parameter in signature.parameters.values():
        if parameter.name in _RESOURCE_NAMES:
            arguments[parameter.name] = _resource(parameter, where, resources)
        elif parameter.name in parameters:
            value = _nested(kind, parameters[parameter.name], resources)
            _check_type(where, parameter.name, value, hints.get(parameter.name))
            arguments[parameter.name] = value
        elif parameter.default is inspect.Parameter.empty:
            raise ConfigurationError(f"Stage {where} needs the parameter {parameter.name!r}.")
    stage = factory(**arguments)
    if not isinstance(stage, Stage):
        raise ConfigurationError(f"What is registered as {where} is not a stage.")
    return stage


def _check_version(where: str, asked: str, present: int) -> None:
    if asked and asked != str(present):
        raise ConfigurationError(
            f"The preset asks for version {asked} of stage {where}, and this is version {present}; "
            f"install a version of the package that has it, or change the preset to @{present}."
        )


def _resource(parameter: inspect.Parameter, where: str, resources: Resources) -> object:
    value = getattr(resources, parameter.name)
    if value is None and parameter.default is inspect.Parameter.empty:
        raise ConfigurationError(
            f"Stage {where} needs a {parameter.name}, and none was given to the pipeline."
        )
    return value


def _nested(kind: Kind, value: object, resources: Resources) -> object:
    """Build members given as tables, such as the retrievers that a fusion joins."""
    if isinstance(value, list):
        return tuple(_nested(kind, item, resources) for item in value)
    if isinstance(value, dict) and "name" in value:
        parameters = {key: item for key, item in value.items() if key != "name"}
        name, _, version = str(value["name"]).partition("@")
        return build(kind, name, parameters, resources, version)
    return value


def _check_type(where: str, name: str, value: object, hint: object) -> None:
    """Refuse a value of the wrong plain type; richer types are the stage's own business."""
    allowed = _plain_types(hint)
    if not allowed:
        return
    fits = type(value) in allowed or (float in allowed and type(value) is int)
    if not fits:
        wanted = " or ".join(sorted(kind.__name__ for kind in allowed))
        raise ConfigurationError(
            f"Parameter {name!r} of stage {where} must be {wanted}, not {value!r}."
        )


def _plain_types(hint: object) -> set[type]:
    options = typing.get_args(hint) if typing.get_origin(hint) in _UNIONS else (hint,)
    if not all(option in _PLAIN for option in options):
        return set()
    return {option for option in options if isinstance(option, type)}


_PLAIN = (bool, int, float, str, types.NoneType)
_UNIONS = (typing.Union, types.UnionType)
