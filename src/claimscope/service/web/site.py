"""Adds the page to an application."""

from __future__ import annotations

from fastapi import FastAPI

from claimscope.service.web import assets
from claimscope.service.web.pages import batch, checking, history, jobs, library, text
from claimscope.service.web.pages import login as entrance
from claimscope.service.web.session import Sessions

ROUTERS = tuple(
    module.router for module in (assets, entrance, checking, text, library, batch, history, jobs)
)


def install(app: FastAPI) -> None:
    """Let the application answer the page's addresses."""
    app.state.sessions = Sessions()
    for router in ROUTERS:
        app.include_router(router)
