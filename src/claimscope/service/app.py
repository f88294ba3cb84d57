"""Puts the application together: the routes, their errors and their limits around a service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI

from claimscope._version import __version__
from claimscope.service import problems
from claimscope.service.api import (
    checking,
    documents,
    jobs,
    operating,
    searching,
    tokens,
    verdicts,
)
from claimscope.service.limiting import Limiter
from claimscope.service.middleware import Envelope
from claimscope.service.problems import Problem
from claimscope.service.security import guard
from claimscope.service.settings import API
from claimscope.service.state import Service
from claimscope.service.web import site
from claimscope.service.web.errors import answer


def create_app(service: Service) -> FastAPI:
    """Make the application around an open service; its workers run while the server does."""
    app = FastAPI(
        title="Claimscope",
        summary="Checks scientific claims against a library of papers.",
        version=__version__,
        openapi_url=f"{API}/openapi.json",
        # These pages load scripts from elsewhere, and nothing is loaded from elsewhere.
        docs_url=None,
        redoc_url=None,
        lifespan=_working,
        dependencies=[Depends(guard)],
    )
    app.state.service = service
    for module in (checking, searching, documents, jobs, verdicts, tokens, operating):
        app.include_router(module.router, prefix=API)
    site.install(app)
    problems.install(app, answer)
    _describe_problems(app)
    # The one added last is the outermost.
    app.add_middleware(Limiter, limits=service.settings.limits)
    app.add_middleware(Envelope, metrics=service.metrics)
    return app


@asynccontextmanager
async def _working(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    await service.offered.start()
    await service.worker.start()
    await service.watcher.start()
    await service.cleaner.start()
    try:
        yield
    finally:
        await service.cleaner.stop()
        await service.watcher.stop()
        await service.worker.stop()
        await service.offered.stop()


def _describe_problems(app: FastAPI) -> None:
    """Add the form of a problem to the OpenAPI document, which no route returns by itself."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        described = make()
        described["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return described

    app.openapi = openapi  # type: ignore[method-assign]
