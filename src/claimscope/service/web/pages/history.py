"""The room of saved claims: what changed since, and what people say of the labels."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response, StreamingResponse

from claimscope.claims.reading import read_claim
from claimscope.errors import UnknownNameError
from claimscope.labels import Label
from claimscope.render.exports import FORMATS
from claimscope.service import recheck as living
from claimscope.service.api.jobs import require_job
from claimscope.service.api.verdicts import correction_lines, keep_correction, require_saved
from claimscope.service.jobs.jobs import Kind
from claimscope.service.jobs.saved import Correction
from claimscope.service.problems import ServiceError
from claimscope.service.state import ServiceOf
from claimscope.service.web.forms import CheckedForm, text_of
from claimscope.service.web.pages.checking import file_of
from claimscope.service.web.rendering import PAGE_HEADERS, go_to, page
from claimscope.service.web.session import PageReader, PageWriter
from claimscope.service.web.views import history as views
from claimscope.service.web.views import jobs as job_views

router = APIRouter(include_in_schema=False)
ROOM = "history"
_NOTE = 2_000
Number = Annotated[int, Path(ge=1, le=1 << 62)]


@router.get("/history")
def show_history(
    request: Request,
    service: ServiceOf,
    visitor: PageReader,
    before: Annotated[int | None, Query(ge=0, le=1 << 62)] = None,
) -> Response:
    """List the saved claims with what changed."""
    rechecks = [job_views.show(job) for job in service.jobs.latest(None, 1, Kind.RECHECK)]
    values: dict[str, Any] = {"listing": views.listing(service, before), "rechecks": rechecks}
    return page(request, visitor, "history.html.j2", ROOM, **values)


@router.post("/history")
async def save(service: ServiceOf, _visitor: PageWriter, form: CheckedForm) -> Response:
    """Save a claim, or check a saved one again."""
    batcher = service.offered.named(text_of(form, "preset") or None)
    [case] = await batcher.check([read_claim(text_of(form, "claim"))])
    saved = await asyncio.to_thread(living.keep, service.verdicts, case)
    return go_to(f"/history/{saved.number}")


@router.post("/history/rechecks")
def recheck_all(service: ServiceOf, _visitor: PageWriter, _form: CheckedForm) -> Response:
    """Check every saved claim again, in the background."""
    presets, revision = tuple(service.offered.batchers), service.library.revision
    ordered = living.order(service.jobs, service.verdicts, presets, revision)
    service.worker.tell()
    return go_to(job_views.address(ordered[-1]) if ordered else "/history")


@router.get("/history/rechecks/{job_id}")
def show_recheck(
    request: Request, service: ServiceOf, visitor: PageReader, job_id: str
) -> Response:
    """Show how far a re-check is."""
    job = require_job(service, job_id)
    if job.kind is not Kind.RECHECK:
        return go_to(job_views.address(job))
    return page(request, visitor, "recheck.html.j2", ROOM, job=job_views.show(job))


@router.get("/history/corrections.jsonl")
def download_corrections(service: ServiceOf, _visitor: PageReader) -> Response:
    """Give what people confirmed or corrected, in SciFact's format."""
    name = 'attachment; filename="corrections.jsonl"'
    headers = {"Content-Disposition": name, **PAGE_HEADERS}
    lines = correction_lines(service)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


@router.get("/history/{number}")
def show_saved(
    request: Request, service: ServiceOf, visitor: PageReader, number: Number
) -> Response:
    """Show a saved verdict, its history, and the forms to correct it."""
    saved = require_saved(service, number)
    values: dict[str, Any] = {
        "entry": views.entry(service, saved),
        "formats": FORMATS,
        "choices": views.CHOICES,
    }
    return page(request, visitor, "saved.html.j2", ROOM, **values)


@router.get("/history/{number}/download/{name}")
def download(service: ServiceOf, _visitor: PageReader, number: Number, name: str) -> Response:
    """Give a saved verdict as a file."""
    if name not in FORMATS:
        raise UnknownNameError("format", name[:40], FORMATS)
    return file_of(name, require_saved(service, number).case)


@router.post("/history/{number}/corrections")
def correct(
    service: ServiceOf, _visitor: PageWriter, form: CheckedForm, number: Number
) -> Response:
    """Keep a person's label for a paper."""
    label, note = text_of(form, "label"), text_of(form, "note")
    if label not in views.CHOICES or len(note) > _NOTE:
        raise ServiceError(422, "Choose one of the labels, and keep the note short.")
    correction = Correction(text_of(form, "document"), Label(label), note)
    keep_correction(service, number, correction)
    rank = text_of(form, "rank")
    return go_to(f"/history/{number}" + (f"#paper-{rank}" if rank.isdecimal() else ""))


@router.post("/history/{number}/forget")
def forget(
    service: ServiceOf, _visitor: PageWriter, _form: CheckedForm, number: Number
) -> Response:
    """Forget a claim with all its saved verdicts."""
    for saved in service.verdicts.history(require_saved(service, number).claim):
        service.verdicts.remove(saved.number)
    return go_to("/history")
