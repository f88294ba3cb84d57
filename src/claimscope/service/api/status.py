"""Health, readiness and metrics of the service, and its presets."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from claimscope._version import __version__
from claimscope.pipeline import preset as presets
from claimscope.service.problems import ServiceError, documented
from claimscope.service.schemas import HealthModel, PresetModel, ReadyModel
from claimscope.service.security import Reader
from claimscope.service.state import ServiceOf

router = APIRouter(tags=["operating"])


@router.get("/health", response_model=HealthModel, responses=documented())
async def health() -> dict[str, Any]:
    """Return that the service is running; needs no token."""
    return {"status": "ok", "version": __version__}


@router.get("/ready", response_model=ReadyModel, responses=documented())
def ready(service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Return whether the service can check claims and run jobs."""
    if not service.worker.is_alive:
        raise ServiceError(503, "The worker that runs jobs has stopped; restart the service.", 5)
    if service.worker.is_hanging:
        raise ServiceError(
            503, "An import has shown no sign of life for minutes; restart the service.", 5
        )
    if service.presets.are_hanging:
        raise ServiceError(
            503, "A check has not come to an end for minutes; restart the service.", 5
        )
    return {
        "status": "ok",
        "version": __version__,
        "preset": service.batcher.checker.preset.name,
        "documents": len(service.library),
        "library_revision": service.library.revision,
    }


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses=documented(),
)
def metrics(service: ServiceOf, _client: Reader) -> PlainTextResponse:
    """Return counters and histograms in Prometheus' text format."""
    gauges = {"waiting_claims": service.presets.waiting, "documents": len(service.library)}
    text = service.metrics.text(gauges, service.jobs.counts())
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/presets", response_model=list[PresetModel], responses=documented())
def list_presets(service: ServiceOf, _client: Reader) -> list[dict[str, Any]]:
    """List all presets, and which of them the service offers."""
    offered = {batcher.checker.preset.name: batcher.checker.preset for batcher in service.presets}
    known = [presets.load(name) for name in presets.names() if name not in offered]
    default = service.batcher.checker.preset.name
    return [
        {
            "name": each.name,
            "summary": each.summary,
            "paper": each.paper,
            "stages": [f"{stage.kind}.{stage.name}" for stage in each.stages],
            "is_offered": each.name in offered,
            "is_default": each.name == default,
        }
        for each in (*offered.values(), *known)
    ]
