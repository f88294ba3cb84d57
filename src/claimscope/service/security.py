"""Decides who may ask: tokens and their scopes, the host asked for, and where a page came from."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Header, Request, Security
from fastapi.security import HTTPBearer

from claimscope.service.jobs.tokens import Scope, Token
from claimscope.service.problems import ServiceError
from claimscope.service.settings import is_loopback
from claimscope.service.state import Service, ServiceOf

_CHALLENGE = "Bearer"
# For the OpenAPI document; the header itself is judged below, where a wrong one is told from none.
_BEARER = HTTPBearer(auto_error=False, description="An access token, where one is needed.")


async def guard(request: Request, service: ServiceOf) -> None:
    """Refuse a request that a foreign web page makes a browser send.

    Without tokens every program of this computer is trusted, and so is its browser: a page from
    elsewhere must reach the service neither by another name for this computer (DNS rebinding)
    nor across origins.
    """
    host = request.headers.get("host", "")
    if not service.settings.needs_token and not is_loopback(_host_name(host)):
        raise ServiceError(
            403, "The service answers only to the name localhost or 127.0.0.1; use one of them."
        )
    origin = request.headers.get("origin")
    # Browsers name no origin when a page only loads something, but say that it is foreign; a link
    # that a person follows is no harm.
    is_foreign = (
        request.headers.get("sec-fetch-site") == "cross-site"
        and request.headers.get("sec-fetch-mode") != "navigate"
    )
    if is_foreign or (origin is not None and urlsplit(origin).netloc != host):
        raise ServiceError(403, "A page of another site may not use this service.")


def require(scope: Scope) -> Callable[..., Awaitable[str]]:
    """Make a dependency that lets a request pass if its token has a scope, and names the client."""

    async def check(
        service: ServiceOf,
        _described: Annotated[object, Security(_BEARER)],
        authorization: Annotated[str | None, Header(include_in_schema=False)] = None,
    ) -> str:
        token = await _token(service, authorization)
        if token is None:
            # A token outlives the moment at which only this computer could ask for it, so nobody
            # makes one without showing one.
            if service.settings.needs_token or scope is Scope.ADMIN:
                raise ServiceError(
                    401,
                    "An access token is needed; send it as 'Authorization: Bearer TOKEN'. "
                    f"'claimscope serve token create NAME --scope {scope}' makes one.",
                    challenge=_CHALLENGE,
                )
            return "local"
        if not token.scope.includes(scope):
            raise ServiceError(
                403, f"The token may {token.scope} only, and this needs the scope {scope}."
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


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


Reader = Annotated[str, Depends(require(Scope.READ))]
Writer = Annotated[str, Depends(require(Scope.WRITE))]
Administrator = Annotated[str, Depends(require(Scope.ADMIN))]
