"""Sees that the library changed, whoever changed it, and has saved claims checked again."""

from __future__ import annotations

import asyncio
import logging

from claimscope.errors import ClaimscopeError
from claimscope.library.local import LocalLibrary
from claimscope.service import recheck as living
from claimscope.service.jobs.jobs import Job, Jobs, Kind, State
from claimscope.service.jobs.saved import Verdicts
from claimscope.service.presets import Offered
from claimscope.service.worker import Worker

PAUSE = 2.0
"""Seconds between two looks; one look reads a single row."""
_log = logging.getLogger("claimscope.service")


class Watcher:
    """Compares the library's revision with the one that saved claims were last checked at."""

    def __init__(
        self,
        library: LocalLibrary,
        jobs: Jobs,
        verdicts: Verdicts,
        offered: Offered,
        worker: Worker,
    ) -> None:
        self._library = library
        self._jobs = jobs
        self._verdicts = verdicts
        self._offered = offered
        self._worker = worker
        self._settled: str | None = None
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Look now, for papers that came while no service ran, and then every few seconds."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stop between two looks."""
        self._stopping.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    def look(self) -> list[Job]:
        """Have claims checked again if the library changed since their newest verdict."""
        revision = self._library.revision
        if revision == self._settled or self._library.is_being_written or self._is_rechecking():
            return []
        ordered: list[Job] = []
        if not self._was_cancelled(revision):
            presets = tuple(self._offered.batchers)
            ordered = living.order_stale(self._jobs, self._verdicts, presets, revision)
        self._settled = revision
        return ordered

    def _is_rechecking(self) -> bool:
        """Say whether jobs are open that may yet bring the claims up to date."""
        return any(job.kind in {Kind.RECHECK, Kind.IMPORT} for job in self._jobs.all_open())

    def _was_cancelled(self, revision: str) -> bool:
        """Say whether a person stopped the recheck of this state of the library."""
        newest = self._jobs.latest(None, 1, Kind.RECHECK)
        return any(
            job.state is State.CANCELLED and job.input.get("revision") == revision for job in newest
        )

    async def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                if await asyncio.to_thread(self.look):
                    self._worker.tell()
            except ClaimscopeError as error:
                _log.warning("saved claims are not checked again yet: %s", error)
            try:
                async with asyncio.timeout(PAUSE):
                    await self._stopping.wait()
            except TimeoutError:
                continue
