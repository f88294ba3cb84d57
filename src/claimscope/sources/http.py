"""Asks a service for data over HTTP: one request at a time, at a polite rate, again if it fails."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from claimscope._version import __version__
from claimscope.errors import InputError, SourceError, SourceUnreachableError

_LARGEST = 256 * 1024 * 1024
"""Bytes of an answer; no page of records and no full text is larger."""
_LONGEST_WAIT = 60.0
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
_AGAIN = frozenset({429, 500, 502, 503, 504})
"""Answers after which the same request may succeed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service answered."""

    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Read the body as JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"The answer is not JSON ({error}); try again later.") from None


@dataclass
class HttpSource:
    """A service under one address; safe for one thread."""

    name: str
    """What people call it."""
    base: str
    advice: str = "check the address and try again"
    """What to do if it does not answer."""
    pause: float = 0.0
    """Seconds from an answer to the next request."""
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0
    tries: int = 4
    sleep: Callable[[float], None] = time.sleep
    _last: float = field(default=float("-inf"), init=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.base)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise InputError(f"{self.base!r} is no address of {self.name}; write http://HOST:PORT.")
        self.base = self.base.rstrip("/")
        # A proxy of the environment is not for programs on this computer.
        handlers = [urllib.request.ProxyHandler({})] if parts.hostname in _LOCAL else []
        self._opener = urllib.request.build_opener(*handlers)

    def get(self, path: str, parameters: Mapping[str, Any] | None = None) -> Answer:
        """Ask for a path under the address."""
        query = f"?{urlencode(parameters)}" if parameters else ""
        return self._ask(f"{self.base}{path}{query}", None, {})

    def get_url(self, url: str) -> Answer:
        """Ask for an address that the service itself named; one on another host is refused."""
        if urlsplit(url).netloc != urlsplit(self.base).netloc:
            raise SourceError(f"{self.name} names a next page on another computer: {url[:200]}.")
        return self._ask(url, None, {})

    def post(self, path: str, body: bytes, kind: str) -> Answer:
        """Send a question that is too long for an address."""
        return self._ask(f"{self.base}{path}", body, {"Content-Type": kind})

    def _ask(self, url: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        all_headers = {"User-Agent": f"claimscope/{__version__}", **self.headers, **headers}
        request = urllib.request.Request(url, body, all_headers)
        for attempt in range(1, self.tries + 1):
            self._keep_pace()
            try:
                return self._open(request)
            except urllib.error.HTTPError as error:
                problem: SourceError = self._refusal(error, url)
                if error.code not in _AGAIN:
                    raise problem from None
                wait = _asked_to_wait(error.headers.get("Retry-After"))
            except (OSError, http.client.HTTPException) as error:
                problem, wait = self._silence(error), 0.0
                if isinstance(getattr(error, "reason", error), ConnectionRefusedError):
                    raise problem from error
            if attempt < self.tries:
                self.sleep(min(max(wait, 2.0 ** (attempt - 1)), _LONGEST_WAIT))
        raise problem

    def _open(self, request: urllib.request.Request) -> Answer:
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                body = response.read(_LARGEST + 1)
        finally:
            self._last = time.monotonic()
        if len(body) > _LARGEST:
            raise SourceError(f"An answer of {self.name} is larger than {_LARGEST:,} bytes.")
        return Answer(response.headers, body)

    def _keep_pace(self) -> None:
        left = self._last + self.pause - time.monotonic()
        if left > 0:
            self.sleep(left)

    def _refusal(self, error: urllib.error.HTTPError, url: str) -> SourceError:
        said = " ".join(error.read(300).decode(errors="replace").split())
        path = urlsplit(url).path
        words = f"{self.name} answers {error.code} to {path} ({said or error.reason})"
        advice = "; try again later" if error.code in _AGAIN else ""
        return SourceError(f"{words}{advice}.", error.code)

    def _silence(self, error: Exception) -> SourceError:
        why = getattr(error, "reason", None) or error
        return SourceUnreachableError(
            f"{self.name} does not answer at {self.base} ({why}); {self.advice}."
        )


def _asked_to_wait(value: str | None) -> float:
    return float(value) if value and value.isdigit() else 0.0
