"""Answers errors: to programs as problems, to people as a page, and to strangers with the login."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from claimscope.service.middleware import SECURITY_HEADERS
from claimscope.service.problems import problem
from claimscope.service.settings import API
from claimscope.service.web.rendering import PAGE_HEADERS, go_to, templates


def answer(
    request: Request, status: int, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Answer an error in the form its asker can read."""
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
        .render(status=status, detail=detail, visitor=None, room="")
    )
    return HTMLResponse(text, status, {**SECURITY_HEADERS, **PAGE_HEADERS, **(headers or {})})
