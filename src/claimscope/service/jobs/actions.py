"""Actions of clients on jobs: submit claims or files, look up a job, cancel it."""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice
from typing import Any

from starlette.datastructures import UploadFile

from claimscope.service.claim_input import read_claims, read_preset
from claimscope.service.jobs import imports
from claimscope.service.jobs.queue import Job, Kind, Order, State
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service


def submit_claims(
    service: Service, body: bytes, media_type: str, key: str | None, preset: str | None = None
) -> Job:
    """Store the claims of a request body as a job; the body may also name the preset."""
    named = read_preset(body, media_type) if preset is None else preset
    batcher = service.presets.named(named)
    # The name is stored so that a restart with another default does not change the job.
    given = {"preset": batcher.checker.preset.name}
    most = service.settings.limits.job_claims
    lines = list(islice(read_claims(body, media_type), most + 1))
    if not 1 <= len(lines) <= most:
        how_many = "more" if lines else "none"
        raise ServiceError(422, f"A job takes 1 to {most:,} claims; this request has {how_many}.")
    head = f"{media_type}\0{given['preset']}\0".encode()
    mark = blake2b(head + body, digest_size=32).digest()
    return service.jobs.accept_claims(Order(Kind.CHECK, len(lines), given, key, mark), lines)


def submit_files(service: Service, files: list[UploadFile], key: str | None) -> Job:
    """Store uploaded files on disk and create the job that imports them."""
    folder = service.database.folder
    upload = imports.keep(folder, files)
    given = {"folder": upload.folder, "files": list(upload.files)}
    kept = False
    try:
        order = Order(Kind.IMPORT, len(files), given, key, upload.fingerprint)
        job = service.jobs.accept_import(order)
        kept = job.input["folder"] == upload.folder
    finally:
        if not kept:
            imports.discard(folder, upload.folder)
    return job


def require_job(service: Service, job_id: str) -> Job:
    """Return a job, or answer 404."""
    job = service.jobs.get(job_id)
    if job is None:
        raise ServiceError(
            404, f"There is no job {job_id[:80]!r}; GET /api/v1/jobs lists all jobs."
        )
    return job


def cancel_job(service: Service, job_id: str) -> Job:
    """Cancel a job and return its new state; finished results stay."""
    job = require_job(service, job_id)
    service.jobs.cancel(job)
    if job.kind is Kind.IMPORT and job.state is State.QUEUED:
        # The worker removes the files of imports that it started; it will not start this one.
        imports.discard(service.database.folder, job.input["folder"])
    return require_job(service, job_id)


def scoped_key(client: str, key: str | None) -> str | None:
    """Prefix an idempotency key, so that clients cannot collide."""
    return None if key is None else f"{client}:{key}"


def job_to_dict(job: Job) -> dict[str, Any]:
    """Return a job as JSON values, without fields that only the server needs."""
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
