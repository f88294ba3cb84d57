"""Adds a request id and security headers to every answer, and logs and counts requests."""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from claimscope.service.settings import API

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SIZES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_LOSSES = ("claims_refused", "claims_dropped", "searches_refused")
"""Work that was not done: too much was waiting, or the client had left."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Histogram:
    """Counts values by size class."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def lines(self, name: str) -> Iterator[str]:
        """Yield the histogram in Prometheus' text format."""
        total = 0
        yield f"# TYPE {name} histogram"
        for bound, count in zip((*self._bounds, "+Inf"), self._counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {total}"


class Metrics:
    """The metrics of one service; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds = Histogram(_SECONDS)
        self._batches = Histogram(_SIZES)
        self._losses = Counter(dict.fromkeys(_LOSSES, 0))

    def count_loss(self, name: str, number: int = 1) -> None:
        """Count work of `_LOSSES`."""
        with self._lock:
            self._losses[name] += number

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; unknown methods share one series."""
        known = method if method in _METHODS else "other"
        with self._lock:
            self._requests[known, route, status] += 1
            self._seconds.observe(seconds)

    def count_batch(self, claims: int) -> None:
        """Count a batch of claims that were checked together."""
        with self._lock:
            self._batches.observe(claims)

    def text(self, gauges: Mapping[str, float], jobs: Mapping[str, int]) -> str:
        """Return all metrics in Prometheus' text format."""
        with self._lock:
            lines = ["# TYPE claimscope_requests_total counter"]
            for (method, route, status), count in sorted(self._requests.items()):
                labels = f'method="{method}",route="{route}",status="{status}"'
                lines.append(f"claimscope_requests_total{{{labels}}} {count}")
            lines += self._seconds.lines("claimscope_request_seconds")
            lines += self._batches.lines("claimscope_batch_claims")
            for name, number in self._losses.items():
                lines.append(f"# TYPE claimscope_{name}_total counter")
                lines.append(f"claimscope_{name}_total {number}")
        for name, value in gauges.items():
            lines += [f"# TYPE claimscope_{name} gauge", f"claimscope_{name} {value}"]
        lines.append("# TYPE claimscope_jobs gauge")
        lines += [f'claimscope_jobs{{state="{state}"}} {count}' for state, count in jobs.items()]
        return "\n".join(lines) + "\n"


SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_log = logging.getLogger("claimscope.service")


class RequestMiddleware:
    """The outermost middleware: request ids, security headers, the log and metrics.

    The log contains the path but never the query or headers, which may contain claims or tokens.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and record its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        started = time.perf_counter()
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request_id
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        finally:
            seconds = time.perf_counter() - started
            self._metrics.count_request(scope["method"], _route(scope), status, seconds)
            # A path may hold line breaks and escapes, which would forge lines of the log.
            path = scope["path"].encode("unicode_escape").decode("ascii")
            _log.info(
                "%s %s %d %.1f ms %s", scope["method"], path, status, seconds * 1000, request_id
            )


def _route(scope: Scope) -> str:
    """Return the path template of the route, without values from the client."""
    route = str(getattr(scope.get("route"), "path", "none"))
    below = scope["path"].startswith(f"{API}/") and not route.startswith(API)
    return f"{API}{route}" if below and route.startswith("/") else route
