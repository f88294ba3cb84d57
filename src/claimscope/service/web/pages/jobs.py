"""How far a job is, as a piece of a page that a script fetches again and again."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from claimscope.service.api.jobs import require_job, stop
from claimscope.service.state import ServiceOf
from claimscope.service.web.forms import CheckedForm
from claimscope.service.web.rendering import go_to, part
from claimscope.service.web.session import PageReader, PageWriter
from claimscope.service.web.views import jobs as views

router = APIRouter(include_in_schema=False)


@router.get("/jobs/{job_id}/panel")
def show_panel(job_id: str, service: ServiceOf, visitor: PageReader) -> Response:
    """Show how far a job is, without a page around it."""
    return part("_job.html.j2", visitor, job=views.show(require_job(service, job_id)))


@router.post("/jobs/{job_id}/cancel")
def cancel(job_id: str, service: ServiceOf, _visitor: PageWriter, _form: CheckedForm) -> Response:
    """Stop a job; what is finished stays."""
    job = stop(service, require_job(service, job_id))
    return go_to(views.address(job))
