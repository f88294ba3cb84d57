"""Runs accepted jobs one after another, and continues unfinished ones after a restart."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from claimscope.case_json import to_json
from claimscope.errors import ClaimscopeError, LibraryLockedError
from claimscope.library.protocol import ManagedLibrary
from claimscope.service.batching import Batcher
from claimscope.service.jobs import imports, recheck
from claimscope.service.jobs.queue import Job, Jobs, Kind, State
from claimscope.service.jobs.saved import Verdicts
from claimscope.service.presets import Presets
from claimscope.service.problems import UNEXPECTED, ServiceError, answer_to
from claimscope.types import Case, Claim

_PAUSE = 1.0
_REPORT_SECONDS = 0.5
_LOOK_SECONDS = 1.0
"""Between two looks whether a job that is being checked was cancelled."""
_HANGS_AFTER = 300.0
"""Seconds without a sign of an import; committing to a slow disk may take some minutes."""
_MOST_STARTS = 2
_KILLED = (
    "The service was killed twice while it worked on this job, so the job was not started again; "
    "send it once more in smaller parts, and look into the log of the system for the reason."
)
_log = logging.getLogger("claimscope.service")


class Worker:
    """Runs jobs in batches of claims, and stores the results of each batch before the next."""

    def __init__(
        self,
        jobs: Jobs,
        verdicts: Verdicts,
        library: ManagedLibrary,
        presets: Presets,
        folder: Path,
    ) -> None:
        self._jobs = jobs
        self._verdicts = verdicts
        self._library = library
        self._folder = folder
        self._presets = presets
        self._new_job = asyncio.Event()
        self._stopping = False
        self._importing = False
        self._sign = time.monotonic()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to run jobs."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stop after the current batch of claims; unfinished jobs wait for the next start."""
        self._stopping = True
        self._new_job.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    @property
    def is_alive(self) -> bool:
        """Whether the worker is running."""
        return self._task is not None and not self._task.done()

    @property
    def is_importing(self) -> bool:
        """Whether papers are being added, so that other changes to the library must wait."""
        return self._importing

    @property
    def is_hanging(self) -> bool:
        """Whether an import has shown no sign of life for minutes."""
        return self._importing and time.monotonic() - self._sign > _HANGS_AFTER

    def wake(self) -> None:
        """Tell the worker that there is a new job."""
        self._new_job.set()

    async def _work(self) -> None:
        while not self._stopping:
            self._new_job.clear()
            try:
                job = await asyncio.to_thread(self._jobs.next_open)
                if job is None:
                    await self._new_job.wait()
                elif job.starts >= _MOST_STARTS:
                    _log.error("job %s is not started again", job.id)
                    await asyncio.to_thread(self._jobs.fail, job, _KILLED)
                elif await asyncio.to_thread(self._jobs.begin, job):
                    await self._run(job)
            except LibraryLockedError as error:
                _log.warning("a job waits: %s", error)
                await asyncio.sleep(_PAUSE)

    async def _run(self, job: Job) -> None:
        _log.info("job %s starts at %d of %d", job.id, job.finished, job.total)
        work = self._import(job) if job.kind is Kind.IMPORT else self._check(job)
        task = asyncio.create_task(work)
        # `asyncio.wait` does not raise the task's error: a job that fails for any reason must not
        # stop the jobs after it.
        await asyncio.wait({task})
        error = task.exception()
        if error is None:
            await asyncio.to_thread(self._jobs.leave, job)
        elif isinstance(error, LibraryLockedError | ServiceError):
            # The library or the model is busy; the job is tried again.
            await asyncio.to_thread(self._jobs.leave, job)
            await asyncio.sleep(_PAUSE)
        else:
            _log.error("job %s failed", job.id, exc_info=error)
            await asyncio.to_thread(self._jobs.fail, job, _reason(error))

    async def _check(self, job: Job) -> None:
        batcher = self._presets.named(job.input.get("preset"))
        while not self._stopping and await asyncio.to_thread(self._is_open, job):
            lines = await asyncio.to_thread(self._jobs.waiting, job, batcher.limits.batch_claims)
            if not lines:
                await asyncio.to_thread(self._jobs.end, job)
                return
            cases = await self._cases(batcher, job, [claim for _, claim in lines])
            if cases is None:
                return
            if job.kind is Kind.RECHECK:
                # Saved before the lines are finished; repeating it after a crash is harmless.
                for case in cases:
                    await asyncio.to_thread(recheck.keep, self._verdicts, case)
            results = [(line, to_json(case)) for (line, _), case in zip(lines, cases, strict=True)]
            await asyncio.to_thread(self._jobs.finish, job, results)

    async def _cases(
        self, batcher: Batcher, job: Job, claims: Sequence[Claim]
    ) -> list[Case] | None:
        """Check claims of a job; None if the job is cancelled meanwhile, which ends the check."""
        checking = asyncio.create_task(batcher.check(claims))
        try:
            while not checking.done():
                await asyncio.wait({checking}, timeout=_LOOK_SECONDS)
                if not checking.done() and not await asyncio.to_thread(self._is_open, job):
                    return None
            return checking.result()
        finally:
            checking.cancel()

    async def _import(self, job: Job) -> None:
        self._importing, self._sign = True, time.monotonic()
        try:
            result = await asyncio.to_thread(self._import_files, job)
        finally:
            self._importing = False
        if self._stopping:
            return
        if result["added"] or result["updated"]:
            # Created before the import ends, so that a crash between the two does not lose it.
            await asyncio.to_thread(self._order_rechecks, job)
        await asyncio.to_thread(self._jobs.end, job, result)
        await asyncio.to_thread(imports.discard, self._folder, job.input["folder"])

    def _import_files(self, job: Job) -> dict[str, Any]:
        own = [name for name, _ in job.input["files"]]
        paths = imports.paths(self._folder, job.input["folder"], own)
        names = {path: name for path, (_, name) in zip(paths, job.input["files"], strict=True)}
        result = imports.run_import(self._library, names, self._reporter(job))
        counts = (result["added"], result["updated"], result["unchanged"], len(result["failed"]))
        self._jobs.report(job, sum(counts))
        return result

    def _order_rechecks(self, job: Job) -> None:
        presets, revision = self._presets.names, self._library.revision
        recheck.order(self._jobs, self._verdicts, presets, revision, job.id)

    def _reporter(self, job: Job) -> Callable[[int], bool]:
        """Return a callback that stores an import's progress and says whether to continue."""
        last = time.monotonic()

        def on_record(count: int) -> bool:
            nonlocal last
            self._sign = time.monotonic()
            if self._sign - last < _REPORT_SECONDS:
                return not self._stopping
            last = self._sign
            self._jobs.report(job, count)
            return not self._stopping and self._is_open(job)

        return on_record

    def _is_open(self, job: Job) -> bool:
        now = self._jobs.get(job.id)
        return now is not None and now.state is State.RUNNING


def _reason(error: BaseException) -> str:
    if isinstance(error, ClaimscopeError):
        return answer_to(error)[1]
    return UNEXPECTED
