"""Work of the service that is done at the start and again after each pause."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod


class Repeated(ABC):
    """Does its work when it starts, and again after each pause until it is stopped."""

    def __init__(self, pause: float) -> None:
        """Set the pause, in seconds."""
        self._pause = pause
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Do the work now, for what happened while no service ran, and then repeat it."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stop when the work that is being done has ended."""
        self._stopping.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    @abstractmethod
    async def once(self) -> None:
        """Do the work."""

    async def _work(self) -> None:
        while not self._stopping.is_set():
            await self.once()
            try:
                async with asyncio.timeout(self._pause):
                    await self._stopping.wait()
            except TimeoutError:
                continue
