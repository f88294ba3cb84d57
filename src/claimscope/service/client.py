"""A small client for the REST API that needs only the standard library."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen
from uuid import uuid4

from claimscope.errors import ClaimscopeError

Case = dict[str, Any]
"""A checked claim, in the format of docs/reference/json.md."""

_OPEN = frozenset({"queued", "running"})


class ClientError(ClaimscopeError):
    """An error that the service answered; status 0 if the service could not be reached."""

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
    notices: list[str]
    score: float


@dataclass(frozen=True, slots=True)
class RemoteDocument:
    """A document of the service's library."""

    id: str
    title: str
    abstract: str
    sentences: list[str]
    metadata: dict[str, Any]
    depth: str
    """How much of it is known: "title", "abstract" or "full text"."""


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
        """Whether the job is queued or running."""
        return self.state in _OPEN


class Client:
    """Calls a service at an address such as http://127.0.0.1:8765."""

    def __init__(self, address: str, token: str | None = None, timeout: float = 60.0) -> None:
        if not address.startswith(("http://", "https://")):
            raise ClientError(
                f"The address {address!r} does not start with http:// or https://; add it."
            )
        self._root = f"{address.rstrip('/')}/api/v1"
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._timeout = timeout

    def check(self, claim: str, preset: str | None = None) -> Case:
        """Check one claim, with a preset of the service or its default."""
        case: Case = self._send("POST", "/check", {"claim": claim, "preset": preset})
        return case

    def stream(self, claim: str, preset: str | None = None) -> Iterator[tuple[str, Case]]:
        """Check one claim; yield "candidates" once they are retrieved, then "verdict"."""
        yield from self._events("/check/stream", {"claim": claim, "preset": preset})

    def stream_text(
        self, text: str, preset: str | None = None
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Check a text; yield "sentences", then "candidates" and "verdict" for each claim."""
        yield from self._events("/check/text/stream", {"text": text, "preset": preset})

    def check_many(self, claims: Sequence[str], preset: str | None = None) -> list[Case]:
        """Check up to 32 claims together; use `submit` for more."""
        answer = self._send("POST", "/check/many", {"claims": list(claims), "preset": preset})
        return list(answer["results"])

    def search(self, query: str, limit: int = 10) -> list[Found]:
        """Rank the library's documents by BM25."""
        answer = self._send("GET", f"/search?{urlencode({'q': query, 'limit': limit})}")
        return [Found(**item) for item in answer["results"]]

    def why(self, claim: str, document_id: str) -> dict[str, Any]:
        """Return what happened to one document at each stage of the pipeline."""
        words = urlencode({"claim": claim, "document": document_id})
        answer: dict[str, Any] = self._send("GET", f"/why?{words}")
        return answer

    def submit(
        self, claims: Sequence[str], key: str | None = None, preset: str | None = None
    ) -> RemoteJob:
        """Create a job that checks claims; the same key creates no second job."""
        headers = {} if key is None else {"Idempotency-Key": key}
        body = {"claims": list(claims), "preset": preset}
        return RemoteJob(**self._send("POST", "/jobs", body, headers))

    def upload(self, *paths: str | Path, key: str | None = None) -> RemoteJob:
        """Create a job that imports files; the same key creates no second job."""
        boundary = uuid4().hex
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        headers |= {} if key is None else {"Idempotency-Key": key}
        body = _multipart([Path(path) for path in paths], boundary)
        with self._opened("POST", "/imports", body, headers) as answer:
            return RemoteJob(**json.load(answer))

    def documents(self) -> Iterator[RemoteDocument]:
        """Yield every document of the library, ordered by id."""
        after: str | None = ""
        while after is not None:
            page = self._send("GET", f"/documents?{urlencode({'after': after, 'limit': 200})}")
            yield from (RemoteDocument(**item) for item in page["documents"])
            after = page["next"]

    def document(self, document_id: str) -> RemoteDocument:
        """Return one document."""
        return RemoteDocument(**self._send("GET", f"/documents/{quote(document_id)}"))

    def remove(self, document_id: str) -> None:
        """Remove one document."""
        with self._opened("DELETE", f"/documents/{quote(document_id)}", None, {}):
            pass

    def save(self, claim: str, preset: str | None = None) -> dict[str, Any]:
        """Check a claim and save its verdict in the history."""
        answer: dict[str, Any] = self._send("POST", "/verdicts", {"claim": claim, "preset": preset})
        return answer

    def history(self) -> Iterator[dict[str, Any]]:
        """Yield the saved verdicts, newest first."""
        before: int | None = None
        while True:
            words = urlencode({} if before is None else {"before": before})
            page = self._send("GET", f"/verdicts?{words}")
            yield from page["verdicts"]
            if (before := page["next"]) is None:
                return

    def job(self, job_id: str) -> RemoteJob:
        """Return the current state of a job."""
        return RemoteJob(**self._send("GET", f"/jobs/{quote(job_id, safe='')}"))

    def cancel(self, job_id: str) -> RemoteJob:
        """Cancel a job; finished results stay."""
        return RemoteJob(**self._send("POST", f"/jobs/{quote(job_id, safe='')}/cancel", {}))

    def wait(self, job_id: str, seconds: float, pause: float = 0.5) -> RemoteJob:
        """Wait until a job ends, or at most `seconds`; return its state."""
        deadline = time.monotonic() + seconds
        while (job := self.job(job_id)).is_open and time.monotonic() < deadline:
            time.sleep(pause)
        return job

    def results(self, job_id: str) -> Iterator[dict[str, Any]]:
        """Yield the outcome of every claim so far, by line."""
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
        """Yield the events of a stream; an event "problem" is raised as an error."""
        name = ""
        with self._opened("POST", path, value, {}) as answer:
            for line in answer:
                key, _, text = line.decode().rstrip("\r\n").partition(": ")
                if key == "event":
                    name = text
                elif key == "data":
                    data = json.loads(text)
                    if name == "problem":
                        raise ClientError(data["detail"], data["status"], data["request_id"])
                    yield name, data

    @contextmanager
    def _opened(
        self,
        method: str,
        path: str,
        value: dict[str, Any] | bytes | None,
        headers: dict[str, str],
    ) -> Iterator[HTTPResponse]:
        """Send a request, with an object as JSON or bytes as they are, and open its answer."""
        body = json.dumps(value).encode() if isinstance(value, dict) else value
        sent = {**self._headers, "Content-Type": "application/json", **headers}
        request = Request(self._root + path, body, sent, method=method)
        try:
            with urlopen(request, timeout=self._timeout) as answer:
                yield answer
        except HTTPError as error:
            raise _client_error(error) from None
        except (OSError, HTTPException) as error:
            # HTTPException: a server that is killed while it answers sends an incomplete answer.
            raise ClientError(
                f"Cannot reach the service at {self._root} ({error}); check that it is running."
            ) from None


def _multipart(paths: Sequence[Path], boundary: str) -> bytes:
    """Give files as the body of a form."""
    parts = []
    for path in paths:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ClientError(f"Cannot read {path} ({error.strerror or error}).") from None
        name = path.name.replace('"', "_").replace("\r", "_").replace("\n", "_")
        head = f'Content-Disposition: form-data; name="files"; filename="{name}"'
        parts.append(f"--{boundary}\r\n{head}\r\n\r\n".encode(errors="replace") + content + b"\r\n")
    return b"".join([*parts, f"--{boundary}--\r\n".encode()])


def _client_error(error: HTTPError) -> ClientError:
    """Return the service's message as an error."""
    try:
        problem = json.load(error)
        return ClientError(problem["detail"], error.code, problem["request_id"])
    except (ValueError, KeyError, TypeError):
        return ClientError(f"The service answered {error.code} {error.reason}.", error.code)
