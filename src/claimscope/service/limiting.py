"""Holds clients to their limits: requests a second, bytes of a body, and pauses within one."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from claimscope.service.problems import problem
from claimscope.service.settings import Limits

_REMEMBERED_CLIENTS = 10_000
_TOO_SLOW = "The request came too slowly; send it again."


class RateLimit:
    """Gives every client a bucket of requests that fills again with time (a token bucket)."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, now: float) -> float:
        """Take a request from the client's bucket; if it is empty, give the seconds to wait."""
        level, since = self._buckets.pop(client, (float(self._burst), now))
        level = min(self._burst, level + (now - since) * self._per_second)
        allowed = level >= 1
        self._buckets[client] = (level - 1 if allowed else level, now)
        if len(self._buckets) > _REMEMBERED_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - level) / self._per_second


class Limiter:
    """Refuses what goes beyond the limits while it is being read, and before it is stored."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._rate = RateLimit(limits.requests_per_second, limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 413 or 429."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        client = scope["client"][0] if scope.get("client") else ""
        wait = self._rate.wait(client, time.monotonic())
        if wait:
            seconds = {"Retry-After": str(int(wait) + 1)}
            refusal = problem(request, 429, "You ask too often; wait a moment.", seconds)
            await refusal(scope, receive, send)
            return
        limit = self._limit(scope["path"])
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > limit:
            await problem(request, 413, _too_large(limit))(scope, receive, send)
            return
        await self._app(scope, self._counted(receive, limit), send)

    def _limit(self, path: str) -> int:
        if path.endswith("/imports"):
            return self._limits.upload_body
        if path.endswith("/jobs"):
            return self._limits.job_body
        return self._limits.body

    def _patience(self, size: int, waited: float) -> float:
        """Give the seconds to wait for more of a body, after so many bytes and seconds."""
        longest = self._limits.body_seconds
        return min(longest, max(0.0, longest + size / self._limits.body_rate - waited))

    def _counted(self, receive: Receive, limit: int) -> Receive:
        """Count the bytes of a body as they come; a chunked one has no length to go by."""
        size, waited = 0, 0.0
        is_complete = False

        async def counted() -> Message:
            nonlocal size, waited, is_complete
            if is_complete:
                return await receive()
            began = time.monotonic()
            try:
                async with asyncio.timeout(self._patience(size, waited)):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, _TOO_SLOW, {"Connection": "close"}) from None
            waited += time.monotonic() - began
            if message["type"] == "http.request":
                size += len(message.get("body", b""))
                is_complete = not message.get("more_body", False)
                if size > limit:
                    raise HTTPException(413, _too_large(limit))
            return message

        return counted


def _too_large(limit: int) -> str:
    return f"The request is larger than {limit:,} bytes; send less, or in several parts."
