"""Adds the web pages and their static files to the application."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, FastAPI, Header
from fastapi.responses import Response

from claimscope.render.page import template
from claimscope.service.problems import ServiceError
from claimscope.service.web.pages import (
    api,
    audit,
    batch,
    check,
    history,
    jobs,
    library,
    login,
    text,
)
from claimscope.service.web.session import Sessions

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_SHARED = ("colours.css", "case.css", "audit.css")
_static = APIRouter(include_in_schema=False)
_PAGES = (login, check, text, audit, library, batch, history, jobs, api)
ROUTERS = (_static, *(page.router for page in _PAGES))


def install(app: FastAPI) -> None:
    """Add the pages' routes to an application."""
    app.state.sessions = Sessions()
    for router in ROUTERS:
        app.include_router(router)


@_static.get("/static/{name}")
async def asset(name: str, if_none_match: Annotated[str, Header()] = "") -> Response:
    """Return a style, script or icon, or 304 if the browser has it already."""
    found = _assets().get(name)
    if found is None:
        raise ServiceError(404, f"There is no file {name[:80]!r}.")
    content, tag = found
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if if_none_match == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=_TYPES[name.rpartition(".")[2]], headers=headers)


@cache
def _assets() -> dict[str, tuple[bytes, str]]:
    own = files("claimscope.service.web").joinpath("static")
    texts = {item.name: item.read_bytes() for item in own.iterdir() if item.is_file()}
    texts |= {name: template(name).encode() for name in _SHARED}
    return {
        name: (content, f'"{sha256(content).hexdigest()[:16]}"')
        for name, content in texts.items()
        if name.rpartition(".")[2] in _TYPES
    }
