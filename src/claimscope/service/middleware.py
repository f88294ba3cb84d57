"""Adds a request id and security headers to every answer, and logs and measures requests."""

from __future__ import annotations

import logging
import re
import secrets
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from claimscope.service.metrics import Metrics
from claimscope.service.settings import API

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
            path = scope["path"].encode("ascii", "backslashreplace").decode()
            _log.info(
                "%s %s %d %.1f ms %s", scope["method"], path, status, seconds * 1000, request_id
            )


def _route(scope: Scope) -> str:
    """Return the path template of the route, without values from the client."""
    route = str(getattr(scope.get("route"), "path", "none"))
    below = scope["path"].startswith(f"{API}/") and not route.startswith(API)
    return f"{API}{route}" if below and route.startswith("/") else route
