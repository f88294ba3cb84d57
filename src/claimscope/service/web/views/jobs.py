"""What rooms show of a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from claimscope.service.jobs.jobs import Job, Kind, State
from claimscope.wording import by_number, counted

_STATES = {
    State.QUEUED: "Waiting",
    State.RUNNING: "Working",
    State.DONE: "Done",
    State.FAILED: "Failed",
    State.CANCELLED: "Cancelled",
}
_KINDS = {Kind.CHECK: "Batch", Kind.IMPORT: "Import", Kind.RECHECK: "Re-check of saved claims"}
_MOST_FAILURES = 200


@dataclass(frozen=True, slots=True)
class JobView:
    """A job in words."""

    id: str
    address: str
    name: str
    state: str
    state_words: str
    is_open: bool
    total: int | None
    """None where nobody knows how much there is to do, as in files not yet read."""
    finished: int
    progress: str
    outcome: str
    failures: tuple[dict[str, Any], ...]
    more_failures: int
    error: str | None
    has_results: bool


def show(job: Job) -> JobView:
    """Prepare a job for a page."""
    is_import = job.kind is Kind.IMPORT
    failures = (job.result or {}).get("failed", [])
    return JobView(
        id=job.id,
        address=address(job),
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


def address(job: Job) -> str:
    """Give the page of a job."""
    room = {Kind.IMPORT: "library/imports", Kind.CHECK: "batch", Kind.RECHECK: "history/rechecks"}
    return f"/{room[job.kind]}/{job.id}"


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
