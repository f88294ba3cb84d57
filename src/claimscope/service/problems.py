"""Answers every error as application/problem+json (RFC 9457), with a sentence for people."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from claimscope.errors import (
    ClaimscopeError,
    InputError,
    LibraryError,
    LibraryFullError,
    LibraryLockedError,
    MissingExtraError,
    MissingModelError,
)
from claimscope.service.jobs.queue import KeyReusedError
from claimscope.service.middleware import SECURITY_HEADERS

MEDIA_TYPE = "application/problem+json"

_log = logging.getLogger("claimscope.service")


class Problem(BaseModel):
    """What went wrong, and what to do."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(
        examples=["There is no document 'pmid:1'; GET /api/v1/documents lists all documents."]
    )
    request_id: str = Field(examples=["6f1f7d4c9d1e4a0b"])


class ServiceError(ClaimscopeError):
    """An error with its HTTP status.

    It may also say when to try again (in seconds), or which authentication is required.
    """

    def __init__(
        self,
        status: int,
        sentence: str,
        retry_after: int | None = None,
        challenge: str | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers: dict[str, str] = {}
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)
        if challenge is not None:
            self.headers["WWW-Authenticate"] = challenge


_HIDDEN = "The library cannot be used at the moment; see the server's log."

_STATUSES: tuple[tuple[type[ClaimscopeError], int, str | None], ...] = (
    # The first match applies. A sentence here replaces a message that may contain server paths.
    (KeyReusedError, 422, None),
    (InputError, 422, None),
    (LibraryLockedError, 503, "Another program is changing the library; try again soon."),
    (LibraryFullError, 507, "The server's disk is full; tell its administrator."),
    (LibraryError, 500, _HIDDEN),
    (MissingModelError, 503, "The model is not installed on the server; tell its administrator."),
    (MissingExtraError, 503, "A part of the server is not installed; tell its administrator."),
    (ClaimscopeError, 500, "The server is not set up correctly; see its log."),
)
_RETRY_SECONDS = 2
UNEXPECTED = "An unexpected error happened in the server; its log has the details."


def problem(
    request: Request, status: int, detail: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return the JSON answer for an error."""
    request_id = request.scope.get("state", {}).get("request_id", "")
    content = describe(status, detail, request_id)
    more = {**SECURITY_HEADERS, "X-Request-ID": request_id, **(headers or {})}
    return JSONResponse(content, status, more, MEDIA_TYPE)


def describe(status: int, detail: str, request_id: str) -> dict[str, Any]:
    """Return a problem as JSON values."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "request_id": request_id,
    }


def answer_to(error: ClaimscopeError) -> tuple[int, str, dict[str, str]]:
    """Return the status, the sentence and the headers for an expected error."""
    if isinstance(error, ServiceError):
        return error.status, str(error), error.headers
    for kind, status, sentence in _STATUSES:
        if isinstance(error, kind):
            if sentence is not None:
                _log.error("%s", error)
            wait = {"Retry-After": str(_RETRY_SECONDS)} if status == 503 else {}
            return status, sentence or str(error), wait
    raise error


_SENTENCES = {
    404: "There is nothing at this address; /api/v1/openapi.json lists all addresses.",
    405: "This address does not support the method; /api/v1/openapi.json lists those it does.",
    400: "The request could not be read; compare its format with /api/v1/openapi.json.",
}


Answer = Callable[[Request, int, str, Mapping[str, str] | None], Response]
"""Makes the answer from a request, a status, a sentence and headers."""
Handler = Callable[[Request, Exception], Awaitable[Response]]


def install(app: FastAPI, answer: Answer = problem) -> None:
    """Register handlers for every error; `answer` makes the response."""

    def handler(describe_error: Callable[[Request, Exception], Described]) -> Handler:
        async def handle(request: Request, error: Exception) -> Response:
            return answer(request, *describe_error(request, error))

        return handle

    app.add_exception_handler(ClaimscopeError, handler(_expected))
    app.add_exception_handler(RequestValidationError, handler(_invalid))
    app.add_exception_handler(HTTPException, handler(_http))
    app.add_exception_handler(Exception, handler(_unexpected))


Described = tuple[int, str, Mapping[str, str] | None]


def _expected(_request: Request, error: Exception) -> Described:
    if not isinstance(error, ClaimscopeError):
        raise error
    return answer_to(error)


def _invalid(_request: Request, error: Exception) -> Described:
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "body"
    return 422, f"The request is not valid at {place}: {first['msg']}.", None


def _http(request: Request, error: Exception) -> Described:
    if not isinstance(error, HTTPException):
        raise error
    sentence = _SENTENCES.get(error.status_code, str(error.detail))
    methods = _methods(request) if error.status_code == 405 else ""
    return error.status_code, sentence, {"Allow": methods} if methods else error.headers


def _methods(request: Request) -> str:
    """Return the methods of an address; each route knows only its own method."""
    path = request.scope["path"]
    described = request.app.openapi()["paths"]
    fitting = (name for name in described if compile_path(name)[0].match(path))
    name = path if path in described else next(fitting, None)
    return ", ".join(sorted(method.upper() for method in described[name])) if name else ""


def _unexpected(request: Request, _error: Exception) -> Described:
    _log.error("request failed: %s", request.scope.get("state", {}).get("request_id", ""))
    # The server closes the connection after an unexpected error; tell the client.
    return 500, UNEXPECTED, {"Connection": "close"}


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the errors of an address for OpenAPI: the usual ones and `statuses`."""
    every = (400, 401, 403, 408, 413, 422, 429, 431, 500, 503, *statuses)
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in sorted(set(every))
    }
