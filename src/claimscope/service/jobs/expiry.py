"""Deletes old jobs, idempotency keys and abandoned uploads, at the start and once a day."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

from claimscope.errors import ClaimscopeError
from claimscope.service.jobs import imports
from claimscope.service.jobs.database import Database
from claimscope.service.jobs.queue import Jobs, Kind
from claimscope.service.jobs.repeated import Repeated
from claimscope.service.settings import Settings

DAY = 24 * 3600.0
_log = logging.getLogger("claimscope.service")


class Cleaner(Repeated):
    """Keeps a library's file from growing without limit."""

    def __init__(self, settings: Settings, database: Database, jobs: Jobs) -> None:
        super().__init__(DAY)
        self._settings = settings
        self._database = database
        self._jobs = jobs

    def clean(self, now: float) -> int:
        """Delete what has expired at a time, in seconds since 1970; return the number of jobs."""
        _discard_keys(self._database, now - self._settings.key_days * DAY)
        expired = _expired_jobs(self._database, now - self._settings.job_days * DAY)
        removed = 0
        for number in expired:
            # One transaction per job, so that no client waits long to write.
            if self._stopping.is_set():
                break
            _discard_job(self._database, number)
            removed += 1
        folder = Path(self._database.folder)
        imports.discard_strays(folder, wanted_uploads(self._jobs), now - DAY)
        return removed

    async def once(self) -> None:
        """Clean; what fails is tried again a day later."""
        try:
            removed = await asyncio.to_thread(self.clean, time.time())
            _log.info("deleted %d old jobs", removed)
        except (ClaimscopeError, OSError) as error:
            _log.warning("old jobs stay for another day: %s", error)


def wanted_uploads(jobs: Jobs) -> frozenset[str]:
    """Return the names of the uploads that unfinished jobs need."""
    return frozenset(job.input["folder"] for job in jobs.all_open() if job.kind is Kind.IMPORT)


def _expired_jobs(database: Database, before: float) -> list[int]:
    """Return the numbers of the jobs that ended before a time."""
    rows = database.rows("SELECT number FROM jobs WHERE ended_at < ?", before)
    return [number for (number,) in rows]


def _discard_job(database: Database, number: int) -> None:
    """Delete a job with its claims, results and idempotency key."""
    with database.transaction() as connection:
        for table in ("job_results", "job_claims", "idempotency_keys"):
            connection.execute(f"DELETE FROM {table} WHERE job = ?", (number,))
        connection.execute("DELETE FROM jobs WHERE number = ?", (number,))


def _discard_keys(database: Database, before: float) -> None:
    """Delete the idempotency keys of requests that came before a time."""
    with database.transaction() as connection:
        connection.execute("DELETE FROM idempotency_keys WHERE made_at < ?", (before,))
