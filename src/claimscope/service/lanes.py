"""The threads of the service: searches have their own, and go before the models."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from typing import TypeVar

from claimscope.service.middleware import Metrics
from claimscope.service.problems import ServiceError
from claimscope.service.settings import Limits

Result = TypeVar("Result")
_BEHIND = 5
"""How much nicer the model thread is than the others; of 19."""


def too_many(what: str, seconds: float) -> ServiceError:
    """Tell a client when to come again."""
    detail = f"Too many {what}; try again in a moment."
    return ServiceError(503, detail, retry_after=max(1, ceil(seconds)))


class Searches:
    """Runs searches in a few threads; answers 503 when too many are waiting."""

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self._limits = limits
        self._metrics = metrics
        self._threads = ThreadPoolExecutor(limits.search_threads, "claimscope-search")
        self.waiting = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run a search."""
        if self.waiting >= self._limits.waiting_searches:
            self._metrics.count_loss("searches_refused")
            raise too_many("searches are waiting", 1.0)
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self.waiting -= 1

    def stop(self) -> None:
        """Start no more searches."""
        self._threads.shutdown(wait=False, cancel_futures=True)


@dataclass
class ModelThread:
    """The one thread of all models, which any other thread goes before."""

    threads: ThreadPoolExecutor = field(
        # A model uses every core for one batch, and not every model may run in two threads.
        default_factory=lambda: ThreadPoolExecutor(1, "claimscope-model", _step_back)
    )
    _stopping: threading.Event = field(default_factory=threading.Event)
    _is_wanted: Callable[[], bool] | None = None
    """Whether anybody waits for what runs; None for work that nobody can give up."""

    def on_progress(self, _done: int, _all: int) -> None:
        """Stop a batch after the text that a model has just read; models call this."""
        if self._stopping.is_set():
            raise ServiceError(503, "The service is stopping; check the claim again later.", 5)
        if self._is_wanted is not None and not self._is_wanted():
            raise ServiceError(503, "Nobody waits for this check any more.")

    @contextmanager
    def while_wanted(self, is_wanted: Callable[[], bool]) -> Iterator[None]:
        """Stop what the thread does inside as soon as nobody wants it; called on the thread."""
        self._is_wanted = is_wanted
        try:
            yield
        finally:
            self._is_wanted = None

    @property
    def is_stopping(self) -> bool:
        """Whether nothing more is to be started."""
        return self._stopping.is_set()

    def interrupt(self) -> None:
        """Make what runs end at its next text."""
        self._stopping.set()

    async def stop(self) -> None:
        """Wait for the end of what runs."""
        self.interrupt()
        await asyncio.to_thread(self.threads.shutdown, cancel_futures=True)


def _step_back() -> None:
    """Let the system run other threads first; the threads that a model makes do as this one."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _niceness() + _BEHIND)


def _niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)
