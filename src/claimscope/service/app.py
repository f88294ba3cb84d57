"""Builds the web application: routes, error handlers and middleware."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI

from claimscope._version import __version__
from claimscope.service import problems
from claimscope.service.api import check, jobs, library, status, tokens, verdicts
from claimscope.service.limiting import Limiter
from claimscope.service.middleware import RequestMiddleware
from claimscope.service.problems import Problem
from claimscope.service.security import guard
from claimscope.service.settings import API
from claimscope.service.state import Service
from claimscope.service.web import site
from claimscope.service.web.rendering import answer_error


def create_app(service: Service) -> FastAPI:
    """Build the application for an open service; background work runs while the server does."""
    app = FastAPI(
        title="Claimscope",
        summary="Checks scientific claims against a library of papers.",
        version=__version__,
        openapi_url=f"{API}/openapi.json",
        # These pages would load scripts from other sites.
        docs_url=None,
        redoc_url=None,
        lifespan=_run_background_work,
        dependencies=[Depends(guard)],
    )
    app.state.service = service
    for module in (check, library, jobs, verdicts, tokens, status):
        app.include_router(module.router, prefix=API)
    site.install(app)
    problems.install(app, answer_error)
    _describe_problems(app)
    # The middleware added last is the outermost.
    app.add_middleware(Limiter, limits=service.settings.limits)
    app.add_middleware(RequestMiddleware, metrics=service.metrics)
    return app


@asynccontextmanager
async def _run_background_work(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    await service.presets.start()
    await service.worker.start()
    await service.watcher.start()
    await service.cleaner.start()
    try:
        yield
    finally:
        await service.cleaner.stop()
        await service.watcher.stop()
        # The worker may wait for a batch, which ends as soon as the models stop.
        await asyncio.gather(service.worker.stop(), service.presets.stop())
        service.searches.stop()


def _describe_problems(app: FastAPI) -> None:
    """Add the schema of errors to the OpenAPI document; no route declares it."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        described = make()
        described["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return described

    app.openapi = openapi  # type: ignore[method-assign]
