"""Opens the library a verb works on, and tells people what they should know about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from claimscope.demo.library import ABOUT, open_demo
from claimscope.errors import InputError
from claimscope.library.local import LocalLibrary
from claimscope.library.location import DEMO, default_location, open_library, resolve_location


@contextmanager
def open_for_reading(argument: str | None) -> Iterator[LocalLibrary]:
    """Open the library of an argument, or the demonstration library if the user has none yet."""
    location = resolve_location(argument)
    if location == DEMO or (location == default_location() and not _exists(location)):
        library = open_demo()
        typer.echo(ABOUT.format(count=len(library)), err=True)
    else:
        library = open_library(location)
    with library:
        tell_recovery(library)
        yield library


@contextmanager
def open_for_writing(argument: str | None, create: bool = False) -> Iterator[LocalLibrary]:
    """Open the user's own library to change it; the demonstration library cannot be changed."""
    location = resolve_location(argument)
    if location == DEMO:
        raise InputError(
            "The demonstration library cannot be changed; name a folder with --library PATH."
        )
    with open_library(location, create=create, write=True) as library:
        tell_recovery(library)
        yield library


def tell_recovery(library: LocalLibrary) -> None:
    """Say what opening the library had to repair."""
    if sentence := library.recovery.sentence:
        typer.echo(f"claimscope: {sentence}", err=True)
