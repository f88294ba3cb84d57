"""Opens the library a verb works on, and tells people what they should know about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from claimscope.library.demo.library import ABOUT
from claimscope.library.local import LocalLibrary
from claimscope.library.location import (
    DEMO,
    default_location,
    exists,
    open_library,
    resolve_location,
)


@contextmanager
def open_for_reading(argument: str | None) -> Iterator[LocalLibrary]:
    """Open the library of an argument, or the demonstration library if the user has none yet."""
    location = resolve_location(argument)
    if location == default_location() and not exists(location):
        location = DEMO
    with open_library(location) as library:
        if location == DEMO:
            typer.echo(ABOUT.format(count=len(library)), err=True)
        _tell_recovery(library)
        yield library


@contextmanager
def open_for_writing(argument: str | None, create: bool = False) -> Iterator[LocalLibrary]:
    """Open the user's own library to change it."""
    with open_library(resolve_location(argument), create=create, write=True) as library:
        _tell_recovery(library)
        yield library


def _tell_recovery(library: LocalLibrary) -> None:
    if sentence := library.recovery.sentence:
        typer.echo(f"claimscope: {sentence}", err=True)
