"""What several commands share: options, opening a library, progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from claimscope.cli.render import clean, console
from claimscope.errors import LibraryEmptyError
from claimscope.library.local import LocalLibrary
from claimscope.library.location import (
    ABOUT,
    DEMO,
    default_location,
    exists,
    open_library,
    resolve_location,
)
from claimscope.library.provisional import kept_if_filled


def _share(text: str) -> float:
    """Read a share written as 10% or 0.1."""
    number = text.strip().removesuffix("%")
    try:
        value = float(number)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a share; write 10% or 0.1.") from None
    return value / 100 if number != text.strip() else value


LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        "-l",
        metavar="PATH",
        help="The library's folder, or 'demo' for the built-in one. Default: "
        "$CLAIMSCOPE_LIBRARY, else your own library, else the built-in one.",
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option("--preset", "-p", help="The pipeline to use: a preset's name or a TOML file."),
]
MaxErrorOption = Annotated[
    float | None,
    typer.Option(
        "--max-error",
        metavar="SHARE",
        parser=_share,
        help="Tolerated share of wrong labels, such as 10%: what is less sure does not count, and "
        "the answer is then NOT_ENOUGH_INFO.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON for machines.")]


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
def open_filled(argument: str | None) -> Iterator[LocalLibrary]:
    """Open a library to look for papers in it; one without papers raises `LibraryEmptyError`."""
    with open_for_reading(argument) as library:
        if not len(library):
            raise LibraryEmptyError(library.location)
        yield library


@contextmanager
def open_for_writing(argument: str | None, create: bool = False) -> Iterator[LocalLibrary]:
    """Open the user's own library to change it; a new one stays only if papers come into it."""
    location = resolve_location(argument)
    with (
        kept_if_filled(Path(location).expanduser()) if create else nullcontext(),
        open_library(location, create=create, write=True) as library,
    ):
        _tell_recovery(library)
        yield library


def _tell_recovery(library: LocalLibrary) -> None:
    if sentence := library.recovery.sentence:
        typer.echo(f"claimscope: {sentence}", err=True)


@contextmanager
def counting(what: str) -> Iterator[Callable[[str], None]]:
    """Count things whose number is not known; call the result with the name of each."""
    out = console(error=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,.0f}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        task = shown.add_task(what, total=None)

        def count(name: str) -> None:
            shown.update(task, advance=1, description=f"{what} {clean(name)}")

        yield count


@contextmanager
def filling(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show how much of a known number is done; call the result with each step's size."""
    out = console(error=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        task = shown.add_task(what, total=total)
        yield lambda step: shown.advance(task, step)


@contextmanager
def downloading() -> Iterator[Callable[[str, int, int | None], None]]:
    """Show downloads; call the result with a file's name, the bytes had, and the bytes in all."""
    out = console(error=True)
    columns = (TextColumn("{task.description}"), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        tasks: dict[str, TaskID] = {}

        def report(name: str, done: int, total: int | None) -> None:
            if name not in tasks:
                tasks[name] = shown.add_task(clean(name), total=total)
            shown.update(tasks[name], completed=done, total=total)

        yield report
