"""Fills the templates of the web pages, including the page for errors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment

from claimscope._version import __version__
from claimscope.render.page import environment
from claimscope.service.middleware import SECURITY_HEADERS
from claimscope.service.problems import problem
from claimscope.service.settings import API
from claimscope.service.web.session import Visitor, set_cookie

# Browsers send the Origin header of a form only if the policy permits it for the same origin.
PAGE_HEADERS = {"Referrer-Policy": "same-origin"}
PAGES = (
    ("check", "/", "Check"),
    ("text", "/text", "Text"),
    ("audit", "/audit", "Audit"),
    ("library", "/library", "Library"),
    ("batch", "/batch", "Batch"),
    ("history", "/history", "History"),
)


@cache
def templates() -> Environment:
    """Return the template environment, created once."""
    created = environment("claimscope.service.web")
    created.globals.update(pages=PAGES, version=__version__)
    created.filters["number"] = "{:,}".format
    created.filters["when"] = lambda moment: moment[:16].replace("T", " ") if moment else "earlier"
    return created


def fragment(name: str, visitor: Visitor, **values: Any) -> str:
    """Fill the template of a part of a page."""
    return templates().get_template(name).render(visitor=visitor, **values)


def page(
    request: Request, visitor: Visitor, name: str, active: str, status: int = 200, **values: Any
) -> HTMLResponse:
    """Fill the template of a page; `active` is the page to highlight in the navigation."""
    text = fragment(name, visitor, active=active, **values)
    response = HTMLResponse(text, status, PAGE_HEADERS)
    if visitor.is_new:
        set_cookie(response, request, visitor.cookie)
    return response


def part(name: str, visitor: Visitor, **values: Any) -> HTMLResponse:
    """Answer with a part of a page, which a script inserts."""
    return HTMLResponse(fragment(name, visitor, **values), headers=PAGE_HEADERS)


def download_headers(file_name: str) -> dict[str, str]:
    """Return headers that make a browser save an answer as a file, not show it as a page."""
    return {"Content-Disposition": f'attachment; filename="{file_name}"', **PAGE_HEADERS}


def go_to(address: str) -> RedirectResponse:
    """Redirect after a form, so that reloading the page does not send the form again."""
    return RedirectResponse(address, 303, PAGE_HEADERS)


def answer_error(
    request: Request, status: int, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Answer an error: JSON for programs, a page for browsers, the login without a token."""
    if request.url.path.startswith(API) or "text/html" not in request.headers.get("accept", ""):
        return problem(request, status, detail, headers)
    if status == 401 and request.method == "GET":
        here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return go_to(f"/login?{urlencode({'next': here})}")
    if status == 404 and detail.startswith("There is nothing at this address"):
        detail = "There is no such page."
    text = (
        templates()
        .get_template("error.html.j2")
        .render(status=status, detail=detail, visitor=None, active="")
    )
    return HTMLResponse(text, status, {**SECURITY_HEADERS, **PAGE_HEADERS, **(headers or {})})
