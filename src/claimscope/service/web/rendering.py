"""Fills the page's templates."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment

from claimscope._version import __version__
from claimscope.render.page import environment
from claimscope.service.web.session import Visitor, set_cookie

# A form's POST names its origin only if the policy lets the page send one to itself.
PAGE_HEADERS = {"Referrer-Policy": "same-origin"}
ROOMS = (
    ("check", "/", "Check"),
    ("text", "/text", "Text"),
    ("library", "/library", "Library"),
    ("batch", "/batch", "Batch"),
    ("history", "/history", "History"),
)


@cache
def templates() -> Environment:
    """Give the templates, read once."""
    made = environment("claimscope.service.web")
    made.globals.update(rooms=ROOMS, version=__version__)
    made.filters["number"] = "{:,}".format
    made.filters["when"] = lambda moment: moment[:16].replace("T", " ") if moment else "earlier"
    return made


def fragment(name: str, visitor: Visitor, **values: Any) -> str:
    """Fill a template that is a part of a page."""
    return templates().get_template(name).render(visitor=visitor, **values)


def page(
    request: Request, visitor: Visitor, name: str, room: str, status: int = 200, **values: Any
) -> HTMLResponse:
    """Fill the template of a page."""
    text = fragment(name, visitor, room=room, **values)
    response = HTMLResponse(text, status, PAGE_HEADERS)
    if visitor.is_new:
        set_cookie(response, request, visitor.cookie)
    return response


def part(name: str, visitor: Visitor, **values: Any) -> HTMLResponse:
    """Fill a template that a script puts into a page."""
    return HTMLResponse(fragment(name, visitor, **values), headers=PAGE_HEADERS)


def go_to(address: str) -> RedirectResponse:
    """Send a browser on after a form was taken, so that reloading sends nothing twice."""
    return RedirectResponse(address, 303, PAGE_HEADERS)
