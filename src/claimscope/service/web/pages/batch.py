"""The room of batches: many claims checked in the background."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from claimscope.errors import ClaimscopeError, InputError
from claimscope.render.exports import claims_to_csv
from claimscope.service.api.jobs import accept_claims, outcome, require_job
from claimscope.service.jobs.jobs import Kind
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service, ServiceOf
from claimscope.service.web.forms import CheckedForm, files_of, key_of, text_of
from claimscope.service.web.rendering import PAGE_HEADERS, go_to, page
from claimscope.service.web.session import PageReader, PageWriter, Visitor, new_cookie
from claimscope.service.web.views import batch as views
from claimscope.service.web.views import jobs as job_views

router = APIRouter(include_in_schema=False)
ROOM = "batch"
_RECENT = 20
_TYPES = {".csv": "text/csv", ".json": "application/json", ".txt": "text/plain"}
_LINES = "application/x-ndjson"


@router.get("/batch")
def show_batches(request: Request, service: ServiceOf, visitor: PageReader) -> Response:
    """Show the form and the batches there are."""
    return _batches(request, service, visitor)


@router.post("/batch/jobs")
async def begin(
    request: Request, service: ServiceOf, visitor: PageWriter, form: CheckedForm
) -> Response:
    """Take claims from a file or from the text field."""
    files = files_of(form, "file")
    body = await files[0].read() if files else text_of(form, "claims").encode()
    ending = PurePosixPath(files[0].filename or "").suffix.lower() if files else ".txt"
    key = key_of(visitor, form, body)
    try:
        if not body.strip():
            raise InputError("There are no claims; choose a file or write some, one a line.")
        media_type = _TYPES.get(ending, _LINES)
        preset = text_of(form, "preset") or None
        job = await asyncio.to_thread(accept_claims, service, body, media_type, key, preset)
    except (InputError, ServiceError) as error:
        return await asyncio.to_thread(_refused, request, service, visitor, error)
    service.worker.tell()
    return go_to(job_views.address(job))


@router.get("/batch/{job_id}")
def show_batch(
    request: Request,
    service: ServiceOf,
    visitor: PageReader,
    job_id: str,
    after: Annotated[int, Query(ge=0, le=1 << 62)] = 0,
) -> Response:
    """Show how far a batch is, and its results so far."""
    job = require_job(service, job_id)
    if job.kind is not Kind.CHECK:
        return go_to(job_views.address(job))
    values: dict[str, Any] = {
        "job": job_views.show(job),
        "results": views.results(service, job, after),
    }
    return page(request, visitor, "batch_job.html.j2", ROOM, **values)


@router.get("/batch/{job_id}/results.{ending}")
def download(service: ServiceOf, _visitor: PageReader, job_id: str, ending: str) -> Response:
    """Give the results so far as JSON lines or as a table."""
    job = require_job(service, job_id)
    outcomes = service.jobs.all_outcomes(job)
    if ending == "jsonl":
        lines = (json.dumps(outcome(item)) + "\n" for item in outcomes)
        return _file(job_id, ending, _LINES, lines)
    if ending == "csv":
        return _file(job_id, ending, "text/csv", claims_to_csv(outcomes))
    raise ServiceError(404, "Results come as results.jsonl or results.csv.")


def _file(job_id: str, ending: str, media_type: str, lines: Iterator[str]) -> StreamingResponse:
    name = f'attachment; filename="claims-{job_id[:16]}.{ending}"'
    headers = {"Content-Disposition": name, **PAGE_HEADERS}
    return StreamingResponse(lines, media_type=media_type, headers=headers)


def _refused(
    request: Request, service: Service, visitor: Visitor, error: ClaimscopeError
) -> Response:
    return _batches(request, service, visitor, str(error), 422)


def _batches(
    request: Request, service: Service, visitor: Visitor, error: str = "", status: int = 200
) -> Response:
    values: dict[str, Any] = {
        "error": error,
        "key": new_cookie(),
        "presets": tuple(service.offered.batchers),
        "chosen": "",
        "most": service.settings.limits.job_claims,
        "batches": [job_views.show(job) for job in service.jobs.latest(None, _RECENT, Kind.CHECK)],
    }
    return page(request, visitor, "batch.html.j2", ROOM, status, **values)
