"""Progress on standard error, and SIGTERM that ends a command as Ctrl-C does."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

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


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """Take SIGTERM for Ctrl-C while the verb runs."""
    former = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
