"""Sends requests to a language model's server (Ollama, llama.cpp, vLLM, LM Studio or hosted)."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from claimscope._hosts import is_loopback
from claimscope._wording import counted
from claimscope.errors import ConfigurationError, LanguageModelError

URL, MODEL, KEY = "CLAIMSCOPE_LLM_URL", "CLAIMSCOPE_LLM_MODEL", "CLAIMSCOPE_LLM_KEY"
"""Environment variables: the address of the server, the name of its model, and its key if any."""
_LARGEST = 4_000_000
_LONGEST_PAUSE = 30.0
_REPEATED = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Answers after which the same request may succeed."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key and the texts go to the server that was named only."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered, and after how many attempts."""

    body: Mapping[str, Any]
    attempts: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ChatServer:
    """A server by its address, such as "http://127.0.0.1:11434/v1"."""

    url: str
    timeout: float
    """Seconds that one attempt may take."""
    retries: int
    pause: float = 0.5
    """Seconds before the first repeat; each further one waits twice as long."""
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ConfigurationError(
                f"{self.url[:80]!r} is no address of a language model's server; write one such as "
                "http://127.0.0.1:11434/v1."
            )
        if "@" in parts.netloc:
            raise ConfigurationError(
                f"The address of a language model's server must hold no password; put its key "
                f"into {KEY}."
            )
        if self.key and parts.scheme == "http" and not is_loopback(parts.hostname):
            raise ConfigurationError(
                f"{self.url} would send the key in {KEY} unencrypted to another computer; use "
                "https."
            )

    @classmethod
    def with_key(cls, url: str, timeout: float, retries: int) -> ChatServer:
        """Name a server, with the key of the environment if there is one."""
        return cls(url.rstrip("/"), timeout, retries, key=os.environ.get(KEY, ""))

    def complete(self, request: Mapping[str, Any]) -> Reply:
        """Send a request; what fails in passing is tried again, the rest is an error at once."""
        started = time.perf_counter()
        attempt = 0
        while True:
            attempt += 1
            try:
                body = self._send(request)
                return Reply(body, attempt, time.perf_counter() - started)
            except _PassingError as error:
                if attempt > self.retries:
                    raise LanguageModelError(
                        f"The language model's server {self.url} gave no answer in "
                        f"{counted(attempt, 'attempt')} ({error}); start it, or check its address "
                        "and the time limit."
                    ) from error
                time.sleep(error.pause or self.pause * 2 ** (attempt - 1))

    def _send(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        headers = {"Content-Type": "application/json", "User-Agent": "claimscope"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        sent = urllib.request.Request(
            f"{self.url}/chat/completions", json.dumps(request).encode(), headers
        )
        try:
            with self._opener.open(sent, timeout=self.timeout) as answer:
                return _read(answer.read(_LARGEST + 1), self.url)
        except urllib.error.HTTPError as error:
            raise self._refused(error) from None
        except (OSError, HTTPException) as error:
            reason = str(getattr(error, "reason", None) or error) or type(error).__name__
            raise _PassingError(reason) from error

    @property
    def _opener(self) -> urllib.request.OpenerDirector:
        local = is_loopback(urlsplit(self.url).hostname or "")
        proxies = [urllib.request.ProxyHandler({})] if local else []
        return urllib.request.build_opener(_NoRedirect, *proxies)

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        with error:
            words = " ".join(error.read(2_000).decode("utf-8", "replace").split())[:300]
        if error.code in _REPEATED:
            return _PassingError(f"status {error.code}", _pause(error.headers.get("Retry-After")))
        advice = "check the address, the name of the model and its key"
        if error.code in {400, 422}:
            advice = "name a field that it does not know in 'omit' of the stage"
        return LanguageModelError(
            f"The language model's server {self.url} refused the request with status {error.code} "
            f"({words or error.reason}); {advice}."
        )


class _PassingError(Exception):
    """An attempt failed for a reason that may pass."""

    def __init__(self, reason: str, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.pause = pause


def _pause(retry_after: str | None) -> float:
    text = (retry_after or "").strip()
    return min(float(text), _LONGEST_PAUSE) if text.isdecimal() else 0.0


def _read(content: bytes, url: str) -> Mapping[str, Any]:
    try:
        body = json.loads(content) if len(content) <= _LARGEST else None
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise LanguageModelError(
            f"{url} answered with something that is no chat completion; check that the address "
            "ends as the server's documentation says, often in /v1."
        )
    return body
