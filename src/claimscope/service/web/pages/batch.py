"""The batch page: check many claims in the background."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from claimscope.errors import ClaimscopeError, InputError
from claimscope.render.case_view import CaseView, show
from claimscope.render.exports import claims_to_csv, outcome_to_dict
from claimscope.service.jobs.actions import require_job, submit_claims
from claimscope.service.jobs.queue import Job, Kind
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service, ServiceOf
from claimscope.service.web.pages.jobs import job_address, show_job
from claimscope.service.web.rendering import download_headers, go_to, page
from claimscope.service.web.session import (
    CheckedForm,
    PageReader,
    PageWriter,
    Visitor,
    files_of,
    key_of,
    new_cookie,
    text_of,
)
from claimscope.types import ClaimOutcome

router = APIRouter(include_in_schema=False)
PAGE = "batch"
_RECENT = 20
_TYPES = {".csv": "text/csv", ".json": "application/json", ".txt": "text/plain"}
_LINES = "application/x-ndjson"
_ROWS = 50


@router.get("/batch")
def show_batches(request: Request, service: ServiceOf, visitor: PageReader) -> Response:
    """Show the form and the recent batches."""
    return _batches(request, service, visitor)


@router.post("/batch/jobs")
async def begin(
    request: Request, service: ServiceOf, visitor: PageWriter, form: CheckedForm
) -> Response:
    """Create a job from a file of claims or from the text field."""
    files = files_of(form, "file")
    body = await files[0].read() if files else text_of(form, "claims").encode()
    ending = PurePosixPath(files[0].filename or "").suffix.lower() if files else ".txt"
    key = key_of(visitor, form, body)
    try:
        if not body.strip():
            raise InputError("There are no claims; choose a file, or write one claim per line.")
        media_type = _TYPES.get(ending, _LINES)
        preset = text_of(form, "preset") or None
        job = await asyncio.to_thread(submit_claims, service, body, media_type, key, preset)
    except (InputError, ServiceError) as error:
        return await asyncio.to_thread(_refused, request, service, visitor, error)
    service.worker.wake()
    return go_to(job_address(job))


@router.get("/batch/{job_id}")
def show_batch(
    request: Request,
    service: ServiceOf,
    visitor: PageReader,
    job_id: str,
    after: Annotated[int, Query(ge=0, le=1 << 62)] = 0,
) -> Response:
    """Show the progress of a batch, and its results so far."""
    job = require_job(service, job_id)
    if job.kind is not Kind.CHECK:
        return go_to(job_address(job))
    values: dict[str, Any] = {
        "job": show_job(job),
        "results": _results(service, job, after),
    }
    return page(request, visitor, "batch_job.html.j2", PAGE, **values)


@router.get("/batch/{job_id}/results.{ending}")
def download(service: ServiceOf, _visitor: PageReader, job_id: str, ending: str) -> Response:
    """Return the results so far as JSON lines or CSV."""
    job = require_job(service, job_id)
    outcomes = service.jobs.all_outcomes(job)
    if ending == "jsonl":
        lines = (json.dumps(outcome_to_dict(item)) + "\n" for item in outcomes)
        return _file(job_id, ending, _LINES, lines)
    if ending == "csv":
        return _file(job_id, ending, "text/csv", claims_to_csv(outcomes))
    raise ServiceError(404, "There is no such file; results are in results.jsonl and results.csv.")


def _file(job_id: str, ending: str, media_type: str, lines: Iterator[str]) -> StreamingResponse:
    headers = download_headers(f"claims-{job_id[:16]}.{ending}")
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
        "presets": service.presets.names,
        "chosen": "",
        "most": service.settings.limits.job_claims,
        "batches": [show_job(job) for job in service.jobs.latest(None, _RECENT, Kind.CHECK)],
    }
    return page(request, visitor, "batch.html.j2", PAGE, status, **values)


@dataclass(frozen=True, slots=True)
class Row:
    """One claim of a batch: its result or its error."""

    line: int
    name: str
    claim: str
    view: CaseView | None
    papers: str
    error: str | None


@dataclass(frozen=True, slots=True)
class Rows:
    """A page of results."""

    rows: tuple[Row, ...]
    following: int | None


def _results(service: Service, job: Job, after: int) -> Rows:
    """Return a page of a job's results."""
    found = service.jobs.outcomes(job, after, _ROWS)
    following = found[-1].line if len(found) == _ROWS else None
    return Rows(tuple(_row(item) for item in found), following)


def _row(item: ClaimOutcome) -> Row:
    view = show(item.case) if item.case else None
    return Row(item.line, item.claim.id, item.claim.text, view, paper_counts(view), item.error)


def paper_counts(view: CaseView | None) -> str:
    """Return how many papers are on which side, in a few words."""
    if view is None:
        return ""
    sides = {group.tone: len(group.cards) for group in view.groups}
    if "for" in sides or "against" in sides:
        return f"{sides.get('for', 0)} for, {sides.get('against', 0)} against"
    return f"{sides.get('silent', 0)} quoted"
