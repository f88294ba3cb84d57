"""The login, where other computers can reach the service, and the way out."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import Response

from claimscope.service.state import ServiceOf
from claimscope.service.web.forms import CheckedForm, text_of
from claimscope.service.web.rendering import go_to, page
from claimscope.service.web.session import COOKIE, Visiting, sessions_of, set_cookie

router = APIRouter(include_in_schema=False)


@router.get("/login")
async def show_login(request: Request, visitor: Visiting, next: str = "/") -> Response:  # noqa: A002
    """Ask for a token."""
    if visitor.scope is not None:
        return go_to(_own(next))
    return page(request, visitor, "login.html.j2", "", next=_own(next), error="")


@router.post("/login")
async def log_in(
    request: Request, service: ServiceOf, visitor: Visiting, form: CheckedForm
) -> Response:
    """Take a token and begin a session under a new cookie."""
    following = _own(text_of(form, "next"))
    token = await asyncio.to_thread(service.tokens.find, text_of(form, "token").strip())
    if token is None:
        error = "This access token is not valid; check that you copied all of it."
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


def _own(address: str) -> str:
    """Give an address of this page: a login must not lead to another site."""
    is_own = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_own and address.isprintable() else "/"
