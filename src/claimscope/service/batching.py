"""One model for all clients: claims that arrive together are checked together, by one thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from claimscope.checker import Checker
from claimscope.pipeline.why import Why
from claimscope.service.metrics import Metrics
from claimscope.service.problems import ServiceError
from claimscope.service.settings import Limits
from claimscope.types import Case, Claim

OnCandidates = Callable[[Case], None]
"""Told a case once its candidates are found; called in the event loop."""


@dataclass(eq=False)
class _Waiting:
    """Claims of one client, and where their cases go."""

    claims: Sequence[Claim]
    answer: asyncio.Future[list[Case]]
    on_candidates: OnCandidates | None = None


@dataclass
class Batcher:
    """Takes claims to cases through one checker; too many at once are refused with 503."""

    checker: Checker
    limits: Limits
    metrics: Metrics
    thread: ThreadPoolExecutor
    """The one thread in which models run."""
    _queue: asyncio.Queue[_Waiting] = field(default_factory=asyncio.Queue)
    _waiting: int = 0
    _task: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """How many claims wait or are being checked."""
        return self._waiting

    async def start(self) -> None:
        """Begin to work."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Take no further batch."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def check(
        self, claims: Sequence[Claim], on_candidates: OnCandidates | None = None
    ) -> list[Case]:
        """Check claims, together with those of other clients."""
        if self._waiting and self._waiting + len(claims) > self.limits.waiting_claims:
            raise ServiceError(
                503, "Too many claims are waiting to be checked; try again in a moment.", 1
            )
        answer: asyncio.Future[list[Case]] = asyncio.get_running_loop().create_future()
        self._waiting += len(claims)
        try:
            self._queue.put_nowait(_Waiting(claims, answer, on_candidates))
            return await answer
        finally:
            self._waiting -= len(claims)

    async def why(self, claim: str, document_id: str) -> Why:
        """Follow one document through the pipeline, on the model's own thread."""
        if self._waiting >= self.limits.waiting_claims:
            raise ServiceError(503, "Too many claims are waiting; try again in a moment.", 1)
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            return await loop.run_in_executor(self.thread, self.checker.why, claim, document_id)
        finally:
            self._waiting -= 1

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            batch = await self._collect()
            running = loop.run_in_executor(self.thread, self._run, batch, loop)
            # Waiting keeps whatever error there is inside the future, for the clients to get.
            await asyncio.wait({running})
            error = running.exception()
            if error is not None:
                for item in batch:
                    if not item.answer.done():
                        item.answer.set_exception(error)
                continue
            for item, cases in zip(batch, running.result(), strict=True):
                if not item.answer.done():
                    item.answer.set_result(cases)

    async def _collect(self) -> list[_Waiting]:
        """Take what waits, and what comes within a few milliseconds, up to a batch."""
        batch = [await self._queue.get()]
        count = len(batch[0].claims)
        deadline = asyncio.get_running_loop().time() + self.limits.batch_seconds
        while count < self.limits.batch_claims:
            left = deadline - asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(max(left, 0)):
                    item = await self._queue.get()
            except TimeoutError:
                break
            batch.append(item)
            count += len(item.claims)
        return [item for item in batch if not item.answer.done()]

    def _run(self, batch: list[_Waiting], loop: asyncio.AbstractEventLoop) -> list[list[Case]]:
        """Check a batch; runs on the model's thread."""

        def on_stage(stage: str, cases: Sequence[Case]) -> None:
            if stage.startswith("retrieve."):
                for item, its_cases in zip(batch, _shares(batch, cases), strict=True):
                    if item.on_candidates is not None:
                        loop.call_soon_threadsafe(item.on_candidates, its_cases[0])

        claims = [claim for item in batch for claim in item.claims]
        if not claims:
            return [[] for _ in batch]
        self.metrics.count_batch(len(claims))
        return _shares(batch, self.checker.check_many(claims, on_stage))


def _shares(batch: list[_Waiting], cases: Sequence[Case]) -> list[list[Case]]:
    """Give every client the cases of its own claims."""
    shares, start = [], 0
    for item in batch:
        shares.append(list(cases[start : start + len(item.claims)]))
        start += len(item.claims)
    return shares
