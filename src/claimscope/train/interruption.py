"""Stopping between two steps: SIGTERM and Ctrl-C ask, and the loop answers when it can."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass
class Stop:
    """Whether somebody has asked to stop."""

    asked: bool = False


@contextmanager
def stopping() -> Iterator[Stop]:
    """Note a request to stop instead of dying of it; a second Ctrl-C stops at once."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # Only the main thread may handle signals.
        return

    def ask(number: int, _: Any) -> None:
        if stop.asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.asked = True

    before = {number: signal.signal(number, ask) for number in _SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
