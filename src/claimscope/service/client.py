"""A small client of the service that needs nothing but Python."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from claimscope.errors import ClaimscopeError

Case = dict[str, Any]
"""A checked claim, in the form of docs/reference/json.md."""

_OPEN = frozenset({"queued", "running"})


class ClientError(ClaimscopeError):
    """What the service answered instead of a result; status 0 if it could not be reached."""

    def __init__(self, sentence: str, status: int = 0, request_id: str = "") -> None:
        super().__init__(sentence)
        self.status = status
        self.request_id = request_id


@dataclass(frozen=True, slots=True)
class Found:
    """A document that a search found."""

    rank: int
    id: str
    title: str
    year: int | None
    retracted: bool
    score: float


@dataclass(frozen=True, slots=True)
class RemoteJob:
    """A job of the service."""

    id: str
    number: int
    kind: str
    state: str
    total: int
    finished: int
    preset: str | None
    result: dict[str, Any] | None
    error: str | None

    @property
    def is_open(self) -> bool:
        """Whether the service still works on it."""
        return self.state in _OPEN


class Client:
    """Talks to a service at an address such as http://127.0.0.1:8765."""

    def __init__(self, address: str, token: str | None = None, timeout: float = 60.0) -> None:
        if not address.startswith(("http://", "https://")):
            raise ClientError(f"The address {address!r} does not begin with http:// or https://.")
        self._root = f"{address.rstrip('/')}/api/v1"
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._timeout = timeout

    def check(self, claim: str, preset: str | None = None) -> Case:
        """Check one claim, with a preset that the service offers or else with its default."""
        case: Case = self._send("POST", "/check", {"claim": claim, "preset": preset})
        return case

    def stream(self, claim: str, preset: str | None = None) -> Iterator[tuple[str, Case]]:
        """Check one claim and give the case as "candidates" once they are found, then "verdict"."""
        yield from self._events("/check/stream", {"claim": claim, "preset": preset})

    def stream_text(
        self, text: str, preset: str | None = None
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Check a text: its "sentences", then "candidates" and "verdict" of each claim in it."""
        yield from self._events("/check/text/stream", {"text": text, "preset": preset})

    def check_many(self, claims: Sequence[str], preset: str | None = None) -> list[Case]:
        """Check a few claims together; make a job of many."""
        answer = self._send("POST", "/check/many", {"claims": list(claims), "preset": preset})
        return list(answer["results"])

    def search(self, query: str, limit: int = 10) -> list[Found]:
        """Rank the library's papers by BM25."""
        answer = self._send("GET", f"/search?{urlencode({'q': query, 'limit': limit})}")
        return [Found(**item) for item in answer["results"]]

    def why(self, claim: str, document_id: str) -> dict[str, Any]:
        """Say what became of one document."""
        words = urlencode({"claim": claim, "document": document_id})
        answer: dict[str, Any] = self._send("GET", f"/why?{words}")
        return answer

    def submit(
        self, claims: Sequence[str], key: str | None = None, preset: str | None = None
    ) -> RemoteJob:
        """Have many claims checked in the background; the same key makes no second job."""
        headers = {} if key is None else {"Idempotency-Key": key}
        body = {"claims": list(claims), "preset": preset}
        return RemoteJob(**self._send("POST", "/jobs", body, headers))

    def job(self, job_id: str) -> RemoteJob:
        """Say how far a job is."""
        return RemoteJob(**self._send("GET", f"/jobs/{quote(job_id, safe='')}"))

    def cancel(self, job_id: str) -> RemoteJob:
        """Stop a job; what is finished stays."""
        return RemoteJob(**self._send("POST", f"/jobs/{quote(job_id, safe='')}/cancel", {}))

    def wait(self, job_id: str, seconds: float, pause: float = 0.5) -> RemoteJob:
        """Wait for a job's end, at most so long, and give it as it is then."""
        deadline = time.monotonic() + seconds
        while (job := self.job(job_id)).is_open and time.monotonic() < deadline:
            time.sleep(pause)
        return job

    def results(self, job_id: str) -> Iterator[dict[str, Any]]:
        """Give what became of every claim of a job so far, by line."""
        after: int | None = 0
        while after is not None:
            page = self._send("GET", f"/jobs/{quote(job_id, safe='')}/results?after={after}")
            yield from page["results"]
            after = page["next"]

    def _send(
        self,
        method: str,
        path: str,
        value: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        with self._opened(method, path, value, headers or {}) as answer:
            return json.load(answer)

    def _events(self, path: str, value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Give the events of a stream; a problem, which ends it, is raised."""
        name = ""
        with self._opened("POST", path, value, {}) as answer:
            for line in answer:
                key, _, said = line.decode().rstrip("\r\n").partition(": ")
                if key == "event":
                    name = said
                elif key == "data":
                    told = json.loads(said)
                    if name == "problem":
                        raise ClientError(told["detail"], told["status"], told["request_id"])
                    yield name, told

    @contextmanager
    def _opened(
        self, method: str, path: str, value: dict[str, Any] | None, headers: dict[str, str]
    ) -> Iterator[HTTPResponse]:
        """Send a request and give the answer to be read."""
        body = None if value is None else json.dumps(value).encode()
        sent = {**self._headers, **headers, "Content-Type": "application/json"}
        request = Request(self._root + path, body, sent, method=method)
        try:
            with urlopen(request, timeout=self._timeout) as answer:
                yield answer
        except HTTPError as error:
            raise _told(error) from None
        except (OSError, HTTPException) as error:
            # A server that is killed while it answers cuts the answer short.
            raise ClientError(f"The service at {self._root} cannot be reached ({error}).") from None


def _told(error: HTTPError) -> ClientError:
    """Give the sentence the service sent."""
    try:
        problem = json.load(error)
        return ClientError(problem["detail"], error.code, problem["request_id"])
    except (ValueError, KeyError, TypeError):
        return ClientError(f"The service answered {error.code} {error.reason}.", error.code)
