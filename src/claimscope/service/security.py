"""Checks who may use the service: access tokens and scopes, the Host header, the origin."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Header, Request, Security
from fastapi.security import HTTPBearer

from claimscope._hosts import is_loopback
from claimscope.service.jobs.tokens import Scope, Token
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service, ServiceOf

_CHALLENGE = "Bearer"
# Only for the OpenAPI document; `require` reads the header itself, to tell a wrong token from none.
_BEARER = HTTPBearer(auto_error=False, description="An access token, if the service requires one.")


async def guard(request: Request, service: ServiceOf) -> None:
    """Refuse requests that a page of another site makes the browser send.

    Without tokens the service trusts every program on this computer, including the browser. So
    pages of other sites must not reach it, neither under another host name (DNS rebinding) nor
    across origins.
    """
    host = request.headers.get("host", "")
    if not service.settings.needs_token and not is_loopback(_host_name(host)):
        raise ServiceError(
            403, "This service answers only at localhost or 127.0.0.1; use one of them."
        )
    origin = request.headers.get("origin")
    # When a page only loads something, browsers send no Origin but say that it is cross-site. A
    # link that a person follows is harmless.
    is_foreign = (
        request.headers.get("sec-fetch-site") == "cross-site"
        and request.headers.get("sec-fetch-mode") != "navigate"
    )
    if is_foreign or (origin is not None and _netloc(origin) != host):
        raise ServiceError(403, "Pages of other sites may not use this service.")


def require(scope: Scope) -> Callable[..., Awaitable[str]]:
    """Return a dependency that requires a scope and returns the client's name."""

    async def check(
        service: ServiceOf,
        _described: Annotated[object, Security(_BEARER)],
        authorization: Annotated[str | None, Header(include_in_schema=False)] = None,
    ) -> str:
        token = await _token(service, authorization)
        if token is None:
            # A token stays valid when the service later listens to other computers, so creating
            # one always requires one.
            if service.settings.needs_token or scope is Scope.ADMIN:
                raise ServiceError(
                    401,
                    "An access token is required; send it as 'Authorization: Bearer TOKEN'. "
                    f"Create one with 'claimscope serve token create NAME --scope {scope}'.",
                    challenge=_CHALLENGE,
                )
            return "local"
        if not token.scope.includes(scope):
            raise ServiceError(
                403, f"This request needs the scope {scope}, but the token has {token.scope}."
            )
        return token.id

    return check


async def _token(service: Service, authorization: str | None) -> Token | None:
    if authorization is None:
        return None
    kind, _, text = authorization.partition(" ")
    is_bearer = kind.lower() == "bearer"
    token = await asyncio.to_thread(service.tokens.find, text.strip()) if is_bearer else None
    if token is None:
        raise ServiceError(
            401, "The access token is not valid; ask for a new one.", challenge=_CHALLENGE
        )
    return token


def _netloc(origin: str) -> str | None:
    """Return the host and port of an origin; None for one that is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


Reader = Annotated[str, Depends(require(Scope.READ))]
Writer = Annotated[str, Depends(require(Scope.WRITE))]
Administrator = Annotated[str, Depends(require(Scope.ADMIN))]
