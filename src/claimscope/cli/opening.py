"""Opens the library a verb works on, and tells people what they should know about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import typer

from claimscope.errors import LibraryEmptyError
from claimscope.library.importer import kept_if_filled
from claimscope.library.location import (
    ABOUT,
    DEMO,
    default_location,
    exists,
    is_remote,
    open_library,
    resolve_location,
)
from claimscope.library.protocol import ManagedLibrary


@contextmanager
def open_for_reading(argument: str | None) -> Iterator[ManagedLibrary]:
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
def open_filled(argument: str | None) -> Iterator[ManagedLibrary]:
    """Open a library for searching; one without papers raises `LibraryEmptyError`."""
    with open_for_reading(argument) as library:
        if not len(library):
            raise LibraryEmptyError(library.location)
        yield library


@contextmanager
def open_for_writing(
    argument: str | None, create: bool = False, hold: bool = True
) -> Iterator[ManagedLibrary]:
    """Open the user's own library to change it; a new one stays only if papers come into it.

    Without `hold` other processes may change it between two changes of this one.
    """
    location = resolve_location(argument)
    is_folder = create and not is_remote(location)
    with (
        kept_if_filled(Path(location).expanduser()) if is_folder else nullcontext(),
        open_library(location, create=create, write=hold) as library,
    ):
        _tell_recovery(library)
        yield library


def _tell_recovery(library: ManagedLibrary) -> None:
    if sentence := library.recovery.sentence:
        typer.echo(f"claimscope: {sentence}", err=True)
