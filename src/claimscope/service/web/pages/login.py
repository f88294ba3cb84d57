"""The login page, for services that other computers can reach, and the logout."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import Response

from claimscope.service.state import ServiceOf
from claimscope.service.web.rendering import go_to, page
from claimscope.service.web.session import (
    COOKIE,
    CheckedForm,
    Visiting,
    sessions_of,
    set_cookie,
    text_of,
)

router = APIRouter(include_in_schema=False)


@router.get("/login")
async def show_login(request: Request, visitor: Visiting, next: str = "/") -> Response:  # noqa: A002
    """Show the form for an access token."""
    if visitor.scope is not None:
        return go_to(_local_address(next))
    return page(request, visitor, "login.html.j2", "", next=_local_address(next), error="")


@router.post("/login")
async def log_in(
    request: Request, service: ServiceOf, visitor: Visiting, form: CheckedForm
) -> Response:
    """Start a session with a token, under a new cookie."""
    following = _local_address(text_of(form, "next"))
    token = await asyncio.to_thread(service.tokens.find, text_of(form, "token").strip())
    if token is None:
        error = "This access token is not valid; check that you copied it completely."
        return page(request, visitor, "login.html.j2", "", 401, next=following, error=error)
    response = go_to(following)
    set_cookie(response, request, sessions_of(request).begin(token))
    return response


@router.post("/logout")
async def log_out(request: Request, visitor: Visiting, _form: CheckedForm) -> Response:
    """End the session."""
    sessions_of(request).end(visitor.cookie)
    response = go_to("/login")
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


def _local_address(address: str) -> str:
    """Return an address of this site, or "/": a login must not lead to another site."""
    is_local = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_local and address.isprintable() else "/"
