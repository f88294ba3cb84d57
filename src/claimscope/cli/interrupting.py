"""Lets the request to terminate end a verb as Ctrl-C does: in good order."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


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
