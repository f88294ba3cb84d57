"""Check many claims, or import files, in the background."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse
from starlette.datastructures import UploadFile

from claimscope.render.exports import outcome_to_dict
from claimscope.service.api.check import PRESET, PresetQuery
from claimscope.service.case_schemas import ASPIRIN
from claimscope.service.claim_input import LINES, TABLE
from claimscope.service.jobs import actions
from claimscope.service.problems import ServiceError, documented
from claimscope.service.schemas import JobListModel, JobModel, OutcomeListModel
from claimscope.service.security import Reader, Writer
from claimscope.service.state import ServiceOf

router = APIRouter(tags=["jobs"])
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="A string of your choice; a request with the same key creates no second job.",
    ),
]
_LINE = json.dumps({"id": "1", "claim": ASPIRIN})
_TEXT_BODY = {"schema": {"type": "string"}}
_JOB_SCHEMA = {
    "type": "object",
    "required": ["claims"],
    "properties": {
        "claims": {"type": "array", "minItems": 1, "items": {}},
        "preset": {"type": ["string", "null"], "description": PRESET},
    },
}
_CLAIMS_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"example": {"claims": [ASPIRIN]}, "schema": _JOB_SCHEMA},
            TABLE: {**_TEXT_BODY, "example": f"id,claim\n1,{ASPIRIN}\n"},
            **{name: {**_TEXT_BODY, "example": f"{_LINE}\n"} for name in sorted(LINES)},
        },
    }
}
_FILES_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                        }
                    },
                }
            }
        },
    }
}


@router.post(
    "/jobs",
    status_code=202,
    response_model=JobModel,
    responses=documented(),
    openapi_extra=_CLAIMS_BODY,
)
async def create_job(
    request: Request,
    service: ServiceOf,
    client: Writer,
    key: Key = None,
    preset: PresetQuery = None,
) -> dict[str, Any]:
    """Create a job that checks claims; it survives a restart of the server."""
    body = await request.body()
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    job = await asyncio.to_thread(
        actions.submit_claims,
        service,
        body,
        media_type,
        actions.scoped_key(client, key),
        preset,
    )
    service.worker.wake()
    return actions.job_to_dict(job)


@router.post(
    "/imports",
    status_code=202,
    response_model=JobModel,
    responses=documented(409, 507),
    tags=["imports"],
    openapi_extra=_FILES_BODY,
)
async def create_import(
    request: Request, service: ServiceOf, client: Writer, key: Key = None
) -> dict[str, Any]:
    """Create a job that imports files, in any format of docs/reference/formats.md."""
    service.require_changeable()
    most = service.settings.limits.upload_files
    async with request.form(max_files=most, max_fields=most) as form:
        files = [item for _, item in form.multi_items() if isinstance(item, UploadFile)]
        if not files:
            raise ServiceError(
                422, "The request contains no files; send them as multipart/form-data."
            )
        scoped = actions.scoped_key(client, key)
        job = await asyncio.to_thread(actions.submit_files, service, files, scoped)
    service.worker.wake()
    return actions.job_to_dict(job)


@router.get("/jobs", response_model=JobListModel, responses=documented())
def list_jobs(
    service: ServiceOf,
    _client: Reader,
    before: Annotated[int | None, Query(ge=0, le=1 << 62)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """List jobs, newest first."""
    found = service.jobs.latest(before, limit)
    return {
        "jobs": [actions.job_to_dict(job) for job in found],
        "next": found[-1].number if len(found) == limit else None,
    }


@router.get("/jobs/{job_id}", response_model=JobModel, responses=documented(404))
def show_job(job_id: str, service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Show the state and progress of a job."""
    return actions.job_to_dict(actions.require_job(service, job_id))


@router.post("/jobs/{job_id}/cancel", response_model=JobModel, responses=documented(404))
def cancel_job(job_id: str, service: ServiceOf, _client: Writer) -> dict[str, Any]:
    """Cancel a job; finished results stay. A job that has ended does not change."""
    return actions.job_to_dict(actions.cancel_job(service, job_id))


@router.get("/jobs/{job_id}/results", response_model=OutcomeListModel, responses=documented(404))
def list_results(
    job_id: str,
    service: ServiceOf,
    _client: Reader,
    after: Annotated[int, Query(ge=0, le=1 << 62)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """List the results of a job so far, by line."""
    found = service.jobs.outcomes(actions.require_job(service, job_id), after, limit)
    return {
        "results": [outcome_to_dict(item) for item in found],
        "next": found[-1].line if len(found) == limit else None,
    }


@router.get(
    "/jobs/{job_id}/results.jsonl",
    response_class=StreamingResponse,
    responses=documented(404)
    | {200: {"content": {"application/x-ndjson": {}}, "description": "One result per line"}},
)
def download_results(job_id: str, service: ServiceOf, _client: Reader) -> StreamingResponse:
    """Download all results so far, one JSON object per line."""
    job = actions.require_job(service, job_id)

    def lines() -> Iterator[str]:
        for item in service.jobs.all_outcomes(job):
            yield json.dumps(outcome_to_dict(item)) + "\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson")
