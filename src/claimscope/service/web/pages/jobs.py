"""The progress of a job: a part of a page that a script reloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from claimscope._wording import by_number, counted
from claimscope.service.jobs.actions import cancel_job, require_job
from claimscope.service.jobs.queue import Job, Kind, State
from claimscope.service.state import ServiceOf
from claimscope.service.web.rendering import go_to, part
from claimscope.service.web.session import CheckedForm, PageReader, PageWriter

router = APIRouter(include_in_schema=False)
_STATES = {
    State.QUEUED: "Waiting",
    State.RUNNING: "Working",
    State.DONE: "Done",
    State.FAILED: "Failed",
    State.CANCELLED: "Cancelled",
}
_KINDS = {Kind.CHECK: "Batch", Kind.IMPORT: "Import", Kind.RECHECK: "Re-check of saved claims"}
_MOST_FAILURES = 200


@router.get("/jobs/{job_id}/panel")
def show_panel(job_id: str, service: ServiceOf, visitor: PageReader) -> Response:
    """Show the progress of a job, without the rest of the page."""
    return part("_job.html.j2", visitor, job=show_job(require_job(service, job_id)))


@router.post("/jobs/{job_id}/cancel")
def cancel(job_id: str, service: ServiceOf, _visitor: PageWriter, _form: CheckedForm) -> Response:
    """Cancel a job; finished results stay."""
    return go_to(job_address(cancel_job(service, job_id)))


@dataclass(frozen=True, slots=True)
class JobView:
    """What a page shows about a job."""

    id: str
    address: str
    name: str
    state: str
    state_words: str
    is_open: bool
    total: int | None
    """None for an import: the number of records is unknown until all files are read."""
    finished: int
    progress: str
    outcome: str
    failures: tuple[dict[str, Any], ...]
    more_failures: int
    error: str | None
    has_results: bool


def show_job(job: Job) -> JobView:
    """Prepare a job for a template."""
    is_import = job.kind is Kind.IMPORT
    failures = (job.result or {}).get("failed", [])
    return JobView(
        id=job.id,
        address=job_address(job),
        name=_name(job),
        state=job.state.value,
        state_words=_STATES[job.state],
        is_open=job.is_open,
        total=None if is_import else job.total,
        finished=job.finished,
        progress=_progress(job),
        outcome=_outcome(job),
        failures=tuple(failures[:_MOST_FAILURES]),
        more_failures=max(0, len(failures) - _MOST_FAILURES),
        error=job.error,
        has_results=not is_import and job.finished > 0,
    )


def _name(job: Job) -> str:
    return _KINDS[job.kind] if job.ordinal is None else f"{_KINDS[job.kind]} {job.ordinal}"


def job_address(job: Job) -> str:
    """Return the address of a job's page."""
    parent = {Kind.IMPORT: "library/imports", Kind.CHECK: "batch", Kind.RECHECK: "history/rechecks"}
    return f"/{parent[job.kind]}/{job.id}"


def _progress(job: Job) -> str:
    if job.kind is Kind.IMPORT:
        return f"{counted(job.finished, 'record')} read from {counted(job.total, 'file')}"
    return f"{job.finished:,} of {counted(job.total, 'claim')} checked"


def _outcome(job: Job) -> str:
    result = job.result
    if job.kind is not Kind.IMPORT or result is None:
        return ""
    words = [
        f"{result['added']:,} added",
        f"{result['updated']:,} updated",
        f"{result['unchanged']:,} unchanged",
        f"{len(result['failed']):,} failed",
    ]
    if result["merged"]:
        duplicates = ("merged as a duplicate", "merged as duplicates")
        words.append(by_number(len(result["merged"]), *duplicates))
    if result["without_abstract"]:
        words.append(f"{result['without_abstract']:,} without abstract")
    return f"{', '.join(words)}."
