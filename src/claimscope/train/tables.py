"""Frozen dataclasses from TOML tables; unknown keys and wrong kinds of value are refused."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from claimscope.errors import ConfigurationError

Settings = TypeVar("Settings")


def read_table(path: Path) -> dict[str, Any]:
    """Read a TOML file as plain values."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigurationError(f"There is no file {path}; check the path.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not valid TOML: {error}.") from None


def settings_of(
    table: Mapping[str, Any], kind: type[Settings], where: str, built: Sequence[str] = ()
) -> Settings:
    """Make settings from a table; nested tables become nested settings.

    Values of the keys in `built` are taken as they are.
    """
    hints = get_type_hints(kind)
    known = {item.name: item for item in fields(kind)}  # type: ignore[arg-type]
    unknown = sorted(table.keys() - known.keys())
    if unknown:
        raise ConfigurationError(
            f"{where} has the unknown key {unknown[0]!r}; known keys are: {', '.join(known)}."
        )
    needed = [
        name
        for name, item in known.items()
        if item.default is MISSING and item.default_factory is MISSING and name not in table
    ]
    if needed:
        raise ConfigurationError(f"{where} lacks the key {needed[0]!r}; add it.")
    return kind(
        **{
            name: value if name in built else _value(hints[name], value, f"{where}: {name}")
            for name, value in table.items()
        }
    )


def _value(hint: Any, value: Any, where: str) -> Any:
    hint = _without_none(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint) and isinstance(value, dict):
        return settings_of(value, hint, where)  # type: ignore[arg-type]
    if origin is tuple and isinstance(value, list):
        return tuple(_value(arguments[0], each, where) for each in value)
    if origin is Mapping and isinstance(value, dict):
        return {key: _value(arguments[1], each, f"{where}.{key}") for key, each in value.items()}
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(hint, type) and type(value) is hint:
        return value
    raise ConfigurationError(f"{where} cannot be {value!r}; write {_described(hint)} there.")


def _without_none(hint: Any) -> Any:
    """Give the type of an optional value."""
    if get_origin(hint) in (Union, UnionType):
        [hint] = [each for each in get_args(hint) if each is not NoneType]
    return hint


def _described(hint: Any) -> str:
    words = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    return words.get(hint, "a table or list")
