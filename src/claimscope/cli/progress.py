"""Progress on standard error, and SIGTERM that ends a command as Ctrl-C does."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import FrameType

import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from claimscope.cli.render import console
from claimscope.cli.styles import clean


class Rate(ProgressColumn):
    """How many things are done in a second."""

    def render(self, task: Task) -> Text:
        """Show the rate, once it is known."""
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f}/s" if speed and speed >= 1 else "", style="progress.data.speed")


@contextmanager
def counting(what: str) -> Iterator[Callable[[str], None]]:
    """Count things whose number is not known; call the result with the name of each."""
    out = console(error=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,.0f}"),
        Rate(),
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
        Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        task = shown.add_task(what, total=total)
        yield lambda step: shown.advance(task, step)


@contextmanager
def rated(what: str) -> Iterator[Callable[[int, int | None], None]]:
    """Show how much is done, at what rate and for how long; call the result with done and total.

    The total may be unknown. Where there is no terminal to draw on, a line is written every half
    minute.
    """
    out = console(error=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    pace = Pace()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as shown:
        task = shown.add_task(what, total=None, rate="")

        def report(done: int, total: int | None) -> None:
            rate = pace.of(done)
            words = f"{rate:,.1f}/s" if rate else ""
            shown.update(task, completed=done, total=total, rate=words)
            if not out.is_terminal and pace.is_due:
                typer.echo(f"{what}: {pace.words(done, total)}.", err=True)

        yield report


class Pace:
    """How fast work goes, counted from its start in this process."""

    _EVERY = 30.0

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started = self._told = clock()
        self._first: int | None = None

    def of(self, done: int) -> float:
        """Give the rate, by what was done since the first report."""
        if self._first is None:
            self._first = done
        passed = self._clock() - self._started
        return (done - self._first) / passed if passed > 0 else 0.0

    @property
    def is_due(self) -> bool:
        """Whether it is time for another line; asking says that one is written."""
        due = self._clock() - self._told >= self._EVERY
        if due:
            self._told = self._clock()
        return due

    def words(self, done: int, total: int | None) -> str:
        """Say what is done, the rate and the remaining time."""
        rate = self.of(done)
        words = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        if rate <= 0:
            return words
        words += f", {rate:,.1f} a second"
        if total is None:
            return words
        return f"{words}, {timedelta(seconds=round((total - done) / rate))} remain"


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
