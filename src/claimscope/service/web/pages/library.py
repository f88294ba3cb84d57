"""The room of the library: add files, search, read a record, remove it."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from claimscope.errors import ClaimError, InputError
from claimscope.service.api.documents import remove_document, require_document
from claimscope.service.api.jobs import accept_files, require_job
from claimscope.service.jobs.jobs import Kind
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service, ServiceOf
from claimscope.service.uploads import ENDINGS
from claimscope.service.web.forms import CheckedForm, files_of, key_of, text_of
from claimscope.service.web.rendering import go_to, page
from claimscope.service.web.session import PageReader, PageWriter, Visitor, new_cookie
from claimscope.service.web.views import jobs as job_views
from claimscope.service.web.views import library as views

router = APIRouter(include_in_schema=False)
ROOM = "library"
_RECENT = 5
Words = Annotated[str, Query(max_length=2_000)]


@router.get("/library")
def show_library(
    request: Request, service: ServiceOf, visitor: PageReader, q: Words = "", after: Words = ""
) -> Response:
    """Show what the library holds, and what a search finds in it."""
    return _library(request, service, visitor, q, after)


@router.post("/library/imports")
async def add_files(
    request: Request, service: ServiceOf, visitor: PageWriter, form: CheckedForm
) -> Response:
    """Take files; they are read in the background."""
    service.require_changeable()
    files = files_of(form, "files")
    try:
        if not files:
            raise InputError("No file was chosen; choose one or drop some here.")
        names = "\n".join(f"{file.filename} {file.size}" for file in files)
        key = key_of(visitor, form, names.encode())
        job = await asyncio.to_thread(accept_files, service, files, key)
    except InputError as error:
        return await asyncio.to_thread(
            _library, request, service, visitor, "", "", error=str(error), status=422
        )
    service.worker.tell()
    return go_to(job_views.address(job))


@router.get("/library/imports/{job_id}")
def show_import(request: Request, service: ServiceOf, visitor: PageReader, job_id: str) -> Response:
    """Show how far an import is and what could not be read, with the reasons."""
    job = require_job(service, job_id)
    if job.kind is not Kind.IMPORT:
        return go_to(job_views.address(job))
    return page(request, visitor, "import.html.j2", ROOM, job=job_views.show(job))


# Ids hold slashes, as DOIs do, so the rest of the path is the id.
@router.get("/library/papers/{document_id:path}")
def show_paper(
    request: Request, service: ServiceOf, visitor: PageReader, document_id: str
) -> Response:
    """Show one record in full."""
    paper = views.paper(service, require_document(service, document_id))
    return page(request, visitor, "paper.html.j2", ROOM, paper=paper)


@router.get("/library/remove")
def confirm_removal(
    request: Request, service: ServiceOf, visitor: PageWriter, document: Words
) -> Response:
    """Ask whether a paper should really go."""
    paper = views.paper(service, require_document(service, document))
    return page(request, visitor, "remove.html.j2", ROOM, paper=paper)


@router.post("/library/remove")
def remove(service: ServiceOf, visitor: PageWriter, form: CheckedForm) -> Response:
    """Remove a paper."""
    document = text_of(form, "document")
    if text_of(form, "sure") != "yes":
        raise ServiceError(422, "Removing a paper needs to be confirmed.")
    remove_document(document, service, visitor.client)
    return go_to("/library")


def _library(
    request: Request,
    service: Service,
    visitor: Visitor,
    query: str,
    after: str,
    error: str = "",
    status: int = 200,
) -> Response:
    try:
        found = views.look(service, query, after)
    except ClaimError as wrong:
        found, error, status = views.look(service, "", ""), str(wrong), 422
    values: dict[str, Any] = {
        "query": query,
        "found": found,
        "error": error,
        "numbers": views.numbers(service),
        "imports": [job_views.show(job) for job in service.jobs.latest(None, _RECENT, Kind.IMPORT)],
        "key": new_cookie(),
        "endings": sorted(ENDINGS),
    }
    return page(request, visitor, "library.html.j2", ROOM, status, **values)
