"""Checks claims of all clients in batches, on one thread with one model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.requests import Request

from claimscope.checker import Checker
from claimscope.pipeline.why import Why
from claimscope.service.lanes import ModelThread, too_many
from claimscope.service.middleware import Metrics
from claimscope.service.problems import ServiceError
from claimscope.service.settings import Limits
from claimscope.types import Case, Claim

Answer = TypeVar("Answer")
_WARM_UP = "Aspirin lowers the risk of heart attack."
_HANGS_AFTER = 300.0
"""Seconds of one batch; a slow preset on a slow computer takes some tens."""

Result = TypeVar("Result")
OnCandidates = Callable[[Case], None]
"""Receives a case once its candidates are retrieved; called in the event loop."""


@dataclass(eq=False)
class _Waiting:
    """The claims of one client, and the future that receives their cases."""

    claims: Sequence[Claim]
    answer: asyncio.Future[list[Case]]
    on_candidates: OnCandidates | None = None


@dataclass
class Batcher:
    """Checks claims with one checker; answers 503 when too many are waiting."""

    checker: Checker
    limits: Limits
    metrics: Metrics
    models: ModelThread
    _queue: asyncio.Queue[_Waiting] = field(default_factory=asyncio.Queue)
    _waiting: int = 0
    _claim_seconds: float = 0.0
    """What a claim took lately."""
    _batch: list[_Waiting] = field(default_factory=list)
    """What is being checked."""
    _began: float | None = None
    """When the batch that is being checked began."""
    _task: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """The number of claims that wait or are being checked."""
        return self._waiting

    @property
    def is_hanging(self) -> bool:
        """Whether one batch has been checked for minutes."""
        return self._began is not None and time.monotonic() - self._began > _HANGS_AFTER

    def warm_up(self) -> None:
        """Open the models in their thread, and measure how long a claim takes."""
        for _ in range(2):  # The first time includes the opening.
            began = time.monotonic()
            self.models.threads.submit(self.checker.check, _WARM_UP).result()
            self._claim_seconds = time.monotonic() - began

    async def start(self) -> None:
        """Start to check claims."""
        self._task = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """Stop; no further batch starts, and who waits is told to come again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        waiting = [*self._batch, *(self._queue.get_nowait() for _ in range(self._queue.qsize()))]
        for item in waiting:
            if not item.answer.done():
                item.answer.set_exception(self._refusal())

    async def check(
        self, claims: Sequence[Claim], on_candidates: OnCandidates | None = None
    ) -> list[Case]:
        """Check claims, in one batch with those of other clients."""
        self.admit(len(claims))
        answer: asyncio.Future[list[Case]] = asyncio.get_running_loop().create_future()
        self._waiting += len(claims)
        try:
            self._queue.put_nowait(_Waiting(claims, answer, on_candidates))
            return await answer
        finally:
            self._waiting -= len(claims)

    async def why(self, claim: str, document_id: str) -> Why:
        """Trace one document through the pipeline, on the model thread."""
        return await self.run(lambda: self.checker.why(claim, document_id))

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run other work of the models on their thread."""
        self.admit(1)
        loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            return await loop.run_in_executor(self.models.threads, work)
        finally:
            self._waiting -= 1

    def admit(self, count: int) -> None:
        """Refuse claims that would make the queue too long, or would wait too long."""
        is_full = self._waiting and self._waiting + count > self.limits.waiting_claims
        if is_full or self._wait > self.limits.waiting_seconds or self.models.is_stopping:
            self.metrics.count_loss("claims_refused", count)
            raise self._refusal()

    def _refusal(self) -> ServiceError:
        return too_many("claims are waiting to be checked", self._wait)

    @property
    def _wait(self) -> float:
        """The seconds until a claim that comes now would be checked."""
        so_far = 0.0 if self._began is None else time.monotonic() - self._began
        return self._waiting * max(self._claim_seconds, so_far / _claims_of(self._batch))

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            batch = await self._collect()
            if not batch:
                continue
            self._batch, self._began = batch, time.monotonic()
            running = loop.run_in_executor(self.models.threads, self._run, batch, loop)
            # Who stops the service does not wait for this batch, nor for its error.
            running.add_done_callback(lambda done: done.cancelled() or done.exception())
            # `asyncio.wait` does not raise the error: it goes to the clients below.
            await asyncio.wait({running})
            seconds = time.monotonic() - self._began
            self._batch, self._began = [], None
            error = running.exception()
            if error is not None:
                if not _are_wanted(batch):
                    self.metrics.count_loss("claims_dropped", _claims_of(batch))
                for item in batch:
                    if not item.answer.done():
                        item.answer.set_exception(error)
                continue
            self._count(batch, seconds)
            for item, cases in zip(batch, running.result(), strict=True):
                if not item.answer.done():
                    item.answer.set_result(cases)

    def _count(self, batch: list[_Waiting], seconds: float) -> None:
        """Remember how long a claim takes; one slow batch does not count for much."""
        self._claim_seconds += (seconds / _claims_of(batch) - self._claim_seconds) / 4

    async def _collect(self) -> list[_Waiting]:
        """Take what is waiting and what arrives within a few milliseconds, up to a batch.

        The claims of clients that have left are dropped.
        """
        batch: list[_Waiting] = []
        while not batch:
            item = await self._queue.get()
            if self._is_wanted(item):
                batch.append(item)
        count = len(batch[0].claims)
        deadline = asyncio.get_running_loop().time() + self.limits.batch_seconds
        while count < self.limits.batch_claims:
            left = deadline - asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(max(left, 0)):
                    item = await self._queue.get()
            except TimeoutError:
                break
            if self._is_wanted(item):
                batch.append(item)
                count += len(item.claims)
        return [item for item in batch if self._is_wanted(item)]

    def _is_wanted(self, item: _Waiting) -> bool:
        """Return whether a client still waits; count the claims of those that have left."""
        if item.answer.done():
            self.metrics.count_loss("claims_dropped", len(item.claims))
        return not item.answer.done()

    def _run(self, batch: list[_Waiting], loop: asyncio.AbstractEventLoop) -> list[list[Case]]:
        """Check a batch; runs on the model thread."""

        def on_stage(stage: str, cases: Sequence[Case]) -> None:
            if stage.startswith("retrieve."):
                for item, own_cases in zip(batch, _split(batch, cases), strict=True):
                    if item.on_candidates is not None:
                        loop.call_soon_threadsafe(item.on_candidates, own_cases[0])

        claims = [claim for item in batch for claim in item.claims]
        if not claims:
            return [[] for _ in batch]
        self.metrics.count_batch(len(claims))
        with self.models.while_wanted(lambda: _are_wanted(batch)):
            return _split(batch, self.checker.check_many(claims, on_stage))


def _are_wanted(batch: Sequence[_Waiting]) -> bool:
    """Return whether any client of a batch still waits."""
    return not all(item.answer.done() for item in batch)


def _claims_of(batch: list[_Waiting]) -> int:
    """Return how many claims a batch has, at least one."""
    return max(1, sum(len(item.claims) for item in batch))


async def while_connected(http: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Wait for work that a client asked for, and give it up when the client has left."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(http))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ServiceError(503, "The client closed the connection before the answer.")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _left(http: Request) -> None:
    """Wait until a client closes its connection; its request was read before."""
    while (await http.receive())["type"] != "http.disconnect":
        pass


def _split(batch: list[_Waiting], cases: Sequence[Case]) -> list[list[Case]]:
    """Split cases by client, in the order of the batch."""
    parts, start = [], 0
    for item in batch:
        parts.append(list(cases[start : start + len(item.claims)]))
        start += len(item.claims)
    return parts
