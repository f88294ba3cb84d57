"""Every error of the service as application/problem+json (RFC 9457), in a sentence for people."""

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
from claimscope.service.jobs.jobs import KeyReusedError
from claimscope.service.middleware import SECURITY_HEADERS

MEDIA_TYPE = "application/problem+json"

_log = logging.getLogger("claimscope.service")


class Problem(BaseModel):
    """What went wrong, and what to do."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no document 'pmid:1'; /api/v1/documents lists them."])
    request_id: str = Field(examples=["6f1f7d4c9d1e4a0b"])


class ServiceError(ClaimscopeError):
    """An error with the status it is answered with.

    It may say how many seconds to wait before trying again, or which proof of identity is asked.
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


_HIDDEN = "The library cannot be used at the moment; the log of the server says why."

_STATUSES: tuple[tuple[type[ClaimscopeError], int, str | None], ...] = (
    # The first that fits; a sentence replaces one that would show paths of the server.
    (KeyReusedError, 422, None),
    (InputError, 422, None),
    (LibraryLockedError, 503, "The library is being changed by another program; try again soon."),
    (LibraryFullError, 507, "The disk of the server is full; tell whoever runs it."),
    (LibraryError, 500, _HIDDEN),
    (MissingModelError, 503, "The model is not installed on the server; tell whoever runs it."),
    (MissingExtraError, 503, "A part of the server is not installed; tell whoever runs it."),
    (ClaimscopeError, 500, "The server is not set up rightly; its log says why."),
)
_RETRY_SECONDS = 2


def problem(
    request: Request, status: int, detail: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Make the answer for an error."""
    request_id = request.scope.get("state", {}).get("request_id", "")
    content = describe(status, detail, request_id)
    more = {**SECURITY_HEADERS, "X-Request-ID": request_id, **(headers or {})}
    return JSONResponse(content, status, more, MEDIA_TYPE)


def describe(status: int, detail: str, request_id: str) -> dict[str, Any]:
    """Give a problem as plain values."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "request_id": request_id,
    }


def answer_to(error: ClaimscopeError) -> tuple[int, str, dict[str, str]]:
    """Give the status, the sentence and the headers for an error raised on purpose."""
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
    404: "There is nothing at this address; /api/v1/openapi.json describes what there is.",
    405: "This address does not answer that method; /api/v1/openapi.json says which it does.",
    400: "The request could not be read; check its form against /api/v1/openapi.json.",
}


Answer = Callable[[Request, int, str, Mapping[str, str] | None], Response]
"""Makes the answer of a request, a status, a sentence and headers."""
Handler = Callable[[Request, Exception], Awaitable[Response]]


def install(app: FastAPI, answer: Answer = problem) -> None:
    """Let an application answer every error, as a problem or in another form."""

    def told(judge: Callable[[Request, Exception], Told]) -> Handler:
        async def handle(request: Request, error: Exception) -> Response:
            return answer(request, *judge(request, error))

        return handle

    app.add_exception_handler(ClaimscopeError, told(_on_purpose))
    app.add_exception_handler(RequestValidationError, told(_invalid))
    app.add_exception_handler(HTTPException, told(_http))
    app.add_exception_handler(Exception, told(_unforeseen))


Told = tuple[int, str, Mapping[str, str] | None]


def _on_purpose(_request: Request, error: Exception) -> Told:
    if not isinstance(error, ClaimscopeError):
        raise error
    return answer_to(error)


def _invalid(_request: Request, error: Exception) -> Told:
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "body"
    return 422, f"The request is wrong at {place}: {first['msg']}.", None


def _http(request: Request, error: Exception) -> Told:
    if not isinstance(error, HTTPException):
        raise error
    sentence = _SENTENCES.get(error.status_code, str(error.detail))
    methods = _methods(request) if error.status_code == 405 else ""
    return error.status_code, sentence, {"Allow": methods} if methods else error.headers


def _methods(request: Request) -> str:
    """Name what an address answers to; routes know of one method each and not of their siblings."""
    path = request.scope["path"]
    described = request.app.openapi()["paths"]
    fitting = (name for name in described if compile_path(name)[0].match(path))
    name = path if path in described else next(fitting, None)
    return ", ".join(sorted(method.upper() for method in described[name])) if name else ""


def _unforeseen(request: Request, _error: Exception) -> Told:
    _log.error("request failed: %s", request.scope.get("state", {}).get("request_id", ""))
    sentence = "Something went wrong in the server; its log has the details."
    # The server drops the connection after an error like this; clients should know.
    return 500, sentence, {"Connection": "close"}


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the problems an address may answer with, for OpenAPI."""
    every = (400, 401, 403, 408, 413, 422, 429, 500, 503, *statuses)
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content}
        for status in sorted(set(every))
    }
