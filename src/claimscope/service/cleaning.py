"""Removes what nobody needs any more, at the start and once a day: old jobs, keys and uploads."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

from claimscope.errors import ClaimscopeError
from claimscope.service import uploads
from claimscope.service.jobs.database import Ledger
from claimscope.service.jobs.expiry import discard_job, discard_keys, expired_jobs
from claimscope.service.jobs.jobs import Jobs, Kind
from claimscope.service.settings import Settings

DAY = 24 * 3600.0
_log = logging.getLogger("claimscope.service")


class Cleaner:
    """Keeps a library's file from growing for ever."""

    def __init__(self, settings: Settings, ledger: Ledger, jobs: Jobs) -> None:
        self._settings = settings
        self._ledger = ledger
        self._jobs = jobs
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Clean now, and then every day."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stop between two jobs that are removed."""
        self._stopping.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    def clean(self, now: float) -> int:
        """Remove what is too old at a time, in seconds since 1970; give the number of jobs."""
        discard_keys(self._ledger, now - self._settings.key_days * DAY)
        expired = expired_jobs(self._ledger, now - self._settings.job_days * DAY)
        removed = 0
        for number in expired:
            # One transaction a job, so that a client who writes never waits for long.
            if self._stopping.is_set():
                break
            discard_job(self._ledger, number)
            removed += 1
        folder = Path(self._ledger.folder)
        uploads.discard_strays(folder, wanted_uploads(self._jobs), now - DAY)
        return removed

    async def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                removed = await asyncio.to_thread(self.clean, time.time())
                _log.info("removed %d old jobs", removed)
            except (ClaimscopeError, OSError) as error:
                _log.warning("old jobs stay for another day: %s", error)
            try:
                async with asyncio.timeout(DAY):
                    await self._stopping.wait()
            except TimeoutError:
                continue


def wanted_uploads(jobs: Jobs) -> frozenset[str]:
    """Name the uploads that jobs still wait for."""
    return frozenset(job.input["folder"] for job in jobs.all_open() if job.kind is Kind.IMPORT)
