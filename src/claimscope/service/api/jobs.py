"""Jobs: many claims checked, or files imported, in the background."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse
from starlette.datastructures import UploadFile

from claimscope.case_json import to_dict
from claimscope.service import uploads
from claimscope.service.api.checking import PRESET, PresetQuery
from claimscope.service.claim_files import LINES, TABLE, read_claims, read_preset
from claimscope.service.jobs.jobs import Job, Kind, Order, State
from claimscope.service.models import ASPIRIN, JobListModel, JobModel, OutcomeListModel
from claimscope.service.problems import ServiceError, documented
from claimscope.service.security import Reader, Writer
from claimscope.service.state import Service, ServiceOf
from claimscope.types import ClaimOutcome

router = APIRouter(tags=["jobs"])
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="A text of your choice; a request repeated with it makes no second job.",
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
    """Accept claims to check; the job survives a restart of the server."""
    body = await request.body()
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    job = await asyncio.to_thread(
        accept_claims, service, body, media_type, scoped(client, key), preset
    )
    service.worker.tell()
    return shown(job)


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
    """Accept files of papers to import, in any of the formats of docs/reference/formats.md."""
    service.require_changeable()
    most = service.settings.limits.upload_files
    async with request.form(max_files=most, max_fields=most) as form:
        files = [item for _, item in form.multi_items() if isinstance(item, UploadFile)]
        if not files:
            raise ServiceError(
                422, "There is no file in the request; send multipart/form-data with files."
            )
        job = await asyncio.to_thread(accept_files, service, files, scoped(client, key))
    service.worker.tell()
    return shown(job)


@router.get("/jobs", response_model=JobListModel, responses=documented())
def list_jobs(
    service: ServiceOf,
    _client: Reader,
    before: Annotated[int | None, Query(ge=0, le=1 << 62)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """List jobs, the newest first."""
    found = service.jobs.latest(before, limit)
    return {
        "jobs": [shown(job) for job in found],
        "next": found[-1].number if len(found) == limit else None,
    }


@router.get("/jobs/{job_id}", response_model=JobModel, responses=documented(404))
def show_job(job_id: str, service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Show how far a job is."""
    return shown(require_job(service, job_id))


@router.post("/jobs/{job_id}/cancel", response_model=JobModel, responses=documented(404))
def cancel_job(job_id: str, service: ServiceOf, _client: Writer) -> dict[str, Any]:
    """Stop a job; what is finished stays. A job that has ended stays as it is."""
    return shown(stop(service, require_job(service, job_id)))


@router.get("/jobs/{job_id}/results", response_model=OutcomeListModel, responses=documented(404))
def list_results(
    job_id: str,
    service: ServiceOf,
    _client: Reader,
    after: Annotated[int, Query(ge=0, le=1 << 62)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """Give the results of a job that are there so far, by line."""
    found = service.jobs.outcomes(require_job(service, job_id), after, limit)
    return {
        "results": [outcome(item) for item in found],
        "next": found[-1].line if len(found) == limit else None,
    }


@router.get(
    "/jobs/{job_id}/results.jsonl",
    response_class=StreamingResponse,
    responses=documented(404)
    | {200: {"content": {"application/x-ndjson": {}}, "description": "A result a line"}},
)
def download_results(job_id: str, service: ServiceOf, _client: Reader) -> StreamingResponse:
    """Download every result that is there so far, one JSON object a line."""
    job = require_job(service, job_id)

    def lines() -> Iterator[str]:
        for item in service.jobs.all_outcomes(job):
            yield json.dumps(outcome(item)) + "\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson")


def shown(job: Job) -> dict[str, Any]:
    """Give a job as plain values, without what only the server needs."""
    return {
        "id": job.id,
        "number": job.number,
        "kind": job.kind.value,
        "state": job.state.value,
        "total": job.total,
        "finished": job.finished,
        "preset": job.input.get("preset"),
        "result": job.result,
        "error": job.error,
    }


def stop(service: Service, job: Job) -> Job:
    """Cancel a job and give it as it is then."""
    service.jobs.cancel(job)
    if job.kind is Kind.IMPORT and job.state is State.QUEUED:
        # The worker never begins it now; it removes the files of those it began.
        uploads.discard(Path(service.library.location), job.input["folder"])
    return require_job(service, job.id)


def accept_claims(
    service: Service, body: bytes, media_type: str, key: str | None, preset: str | None = None
) -> Job:
    """Keep the claims of a body as a job; the body may name the preset as well."""
    named = read_preset(body, media_type) if preset is None else preset
    batcher = service.offered.named(named)
    # Kept by name: a service that is started again with another default goes on with this one.
    given = {"preset": batcher.checker.preset.name}
    lines = list(read_claims(body, media_type))
    most = service.settings.limits.job_claims
    if not 1 <= len(lines) <= most:
        raise ServiceError(422, f"A job has 1 to {most:,} claims, and this one {len(lines):,}.")
    head = f"{media_type}\0{given['preset']}\0".encode()
    mark = blake2b(head + body, digest_size=32).digest()
    return service.jobs.accept_claims(Order(Kind.CHECK, len(lines), given, key, mark), lines)


def accept_files(service: Service, files: list[UploadFile], key: str | None) -> Job:
    """Keep files on the disk and as a job."""
    folder = Path(service.library.location)
    upload = uploads.keep(folder, files)
    given = {"folder": upload.folder, "files": list(upload.files)}
    kept = False
    try:
        order = Order(Kind.IMPORT, len(files), given, key, upload.fingerprint)
        job = service.jobs.accept_import(order)
        kept = job.input["folder"] == upload.folder
    finally:
        if not kept:
            uploads.discard(folder, upload.folder)
    return job


def scoped(client: str, key: str | None) -> str | None:
    """Keep the keys of different clients apart."""
    return None if key is None else f"{client}:{key}"


def require_job(service: Service, job_id: str) -> Job:
    """Give a job, or answer 404."""
    job = service.jobs.get(job_id)
    if job is None:
        raise ServiceError(404, f"There is no job {job_id[:80]!r}; /api/v1/jobs lists them.")
    return job


def outcome(item: ClaimOutcome) -> dict[str, Any]:
    """Give what became of a claim as plain values."""
    return {
        "line": item.line,
        "id": item.claim.id,
        "claim": item.claim.text,
        "result": to_dict(item.case) if item.case else None,
        "error": item.error,
    }
