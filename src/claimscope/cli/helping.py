"""Help in the usual form of Unix commands: `--preset PRESET`, flags without a type, `CLAIMS...`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

Command = TypeVar("Command", bound=Callable[..., Any])


class App(typer.Typer):
    """A Typer application whose commands all show their help in this form."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=_Group, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Command], Command]:
        """Register a command."""
        return super().command(name, cls=_Command, **settings)


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> Any:
        return [_named(parameter) for parameter in super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return _bare(super().collect_usage_pieces(ctx))


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> Any:
        return [_named(parameter) for parameter in super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return _bare(super().collect_usage_pieces(ctx))


def _named(parameter: Any) -> Any:
    """Name what a parameter takes after itself, as argparse does; a flag takes nothing."""
    if parameter.param_type_name == "argument":
        # Typer has no setting that hides the Python type of an argument.
        parameter.display_type_rich = _no_type
    if parameter.metavar is None:
        is_flag = getattr(parameter, "is_flag", False)
        parameter.metavar = "" if is_flag else parameter.name.upper()
    return parameter


def _no_type(ctx: Any) -> str:
    return ""


def _bare(pieces: list[str]) -> list[str]:
    """Take the braces away that Typer puts around a required argument."""
    return [piece.replace("{", "").replace("}", "") for piece in pieces]
