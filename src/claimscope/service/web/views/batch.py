"""What the room of batches shows."""

from __future__ import annotations

from dataclasses import dataclass

from claimscope.render.case_view import CaseView, show
from claimscope.service.jobs.jobs import Job
from claimscope.service.state import Service
from claimscope.types import ClaimOutcome

_PAGE = 50


@dataclass(frozen=True, slots=True)
class Row:
    """One claim of a batch: its answer, or why there is none."""

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


def results(service: Service, job: Job, after: int) -> Rows:
    """Give a page of a job's results."""
    found = service.jobs.outcomes(job, after, _PAGE)
    following = found[-1].line if len(found) == _PAGE else None
    return Rows(tuple(_row(item) for item in found), following)


def _row(item: ClaimOutcome) -> Row:
    view = show(item.case) if item.case else None
    return Row(item.line, item.claim.id, item.claim.text, view, papers(view), item.error)


def papers(view: CaseView | None) -> str:
    """Say in a few words how many papers are on which side."""
    if view is None:
        return ""
    sides = {group.tone: len(group.cards) for group in view.groups}
    if "for" in sides or "against" in sides:
        return f"{sides.get('for', 0)} for, {sides.get('against', 0)} against"
    return f"{sides.get('silent', 0)} quoted"
