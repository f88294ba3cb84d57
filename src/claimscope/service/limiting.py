"""Enforces the limits of clients: request rate, body size, slow requests, slow connections.

uvicorn limits the size of headers and the pause between two requests. It does not limit how long
a client takes to send its headers, to send a body that no route reads, or to read an answer.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import ClassVar

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from claimscope.service.problems import problem
from claimscope.service.settings import Limits

_REMEMBERED_CLIENTS = 10_000
_TOO_SLOW = "The request arrived too slowly; send it again."


_CLOSE = {"Connection": "close"}


class RateLimit:
    """Limits the request rate of each client with a token bucket."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, now: float) -> float:
        """Count a request; return the seconds to wait if the client has used up its rate."""
        level, since = self._buckets.pop(client, (float(self._burst), now))
        level = min(self._burst, level + (now - since) * self._per_second)
        allowed = level >= 1
        self._buckets[client] = (level - 1 if allowed else level, now)
        if len(self._buckets) > _REMEMBERED_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - level) / self._per_second


class Limiter:
    """Middleware that refuses requests beyond the limits before a route stores them."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._rate = RateLimit(limits.requests_per_second, limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 408, 413 or 429."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        client = scope["client"][0] if scope.get("client") else ""
        wait = self._rate.wait(client, time.monotonic())
        if wait:
            seconds = {"Retry-After": str(int(wait) + 1)}
            refusal = problem(
                request, 429, "Too many requests; wait a moment and try again.", seconds
            )
            await refusal(scope, receive, send)
            return
        limit = self._limit(scope["path"])
        headers = Headers(scope=scope)
        if _size_of_headers(scope) > self._limits.header_bytes:
            detail = f"The headers are larger than {self._limits.header_bytes:,} bytes."
            await problem(request, 431, detail, _CLOSE)(scope, receive, send)
            return
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy may take the other of the two for the length, and see other requests.
            detail = "Send Content-Length or Transfer-Encoding, not both."
            await problem(request, 400, detail, _CLOSE)(scope, receive, send)
            return
        length = headers.get("content-length", "0")
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
        """Return how many seconds to wait for more of a body, after `size` bytes."""
        longest = self._limits.body_seconds
        return min(longest, max(0.0, longest + size / self._limits.body_rate - waited))

    def _counted(self, receive: Receive, limit: int) -> Receive:
        """Count the bytes of a body as they arrive; a chunked body declares no length."""
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


def _size_of_headers(scope: Scope) -> int:
    return (
        len(scope.get("raw_path") or b"")
        + len(scope["query_string"])
        + sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    )


def _too_large(limit: int) -> str:
    return f"The request is larger than {limit:,} bytes; split it into smaller requests."


def guarded(limits: Limits) -> type[H11Protocol]:
    """Return the connection class for these limits."""
    return type("GuardedConnection", (GuardedConnection,), {"limits": limits})


class GuardedConnection(H11Protocol):
    """HTTP/1.1 with timeouts for the client: to send a request, and to read the answer."""

    limits: ClassVar[Limits] = Limits()
    _since: float = 0.0
    _asking: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether the server waits for the client's next request."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request; with too many connections, close one of them."""
        super().connection_made(transport)
        self._since = self.loop.time()
        if len(self.connections) > self.limits.connections:
            self._close_longest_idle()
        self._set_timeouts()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeouts."""
        super().connection_lost(exc)
        self._stop_asking()
        self._stop_reading()

    def data_received(self, data: bytes) -> None:
        """Receive a part of a request; only complete headers stop the timeout."""
        super().data_received(data)
        self._set_timeouts()

    def on_response_complete(self) -> None:
        """Wait for the next request, or until the client has read the last answer."""
        super().on_response_complete()
        self._since = self.loop.time()
        self._set_timeouts()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that sent no further request."""
        super().timeout_keep_alive_handler()
        self._set_timeouts()

    def pause_writing(self) -> None:
        """Start the timeout for a client that does not read its answer."""
        super().pause_writing()
        self._reading = self._reading or self._later(self.limits.reading_seconds, self._abort)

    def resume_writing(self) -> None:
        """Stop the timeout once the client has read."""
        super().resume_writing()
        self._stop_reading()
        self._set_timeouts()

    def _set_timeouts(self) -> None:
        if self.transport.is_closing():
            self._stop_asking()
            if self.transport.get_write_buffer_size() and self._reading is None:
                self._reading = self._later(self.limits.reading_seconds, self._abort)
        elif not self.is_idle:
            self._stop_asking()
        elif self._asking is None:
            self._asking = self._later(self.limits.header_seconds, self._close_idle)

    def _stop_asking(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _later(self, seconds: float, act: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, act)

    def _close_idle(self) -> None:
        """Close a connection without a request; answers in transit still arrive."""
        self._asking = None
        if self.is_idle:
            self.transport.close()
            self._set_timeouts()

    def _abort(self) -> None:
        """Close a connection at once."""
        self.connections.discard(self)
        self.transport.abort()

    def _close_longest_idle(self) -> None:
        """Close the connection that was idle longest or, if all are busy, this new one."""
        idle = [
            each
            for each in self.connections
            if isinstance(each, GuardedConnection) and each.is_idle and each is not self
        ]
        min(idle, key=lambda each: each._since, default=self)._abort()
