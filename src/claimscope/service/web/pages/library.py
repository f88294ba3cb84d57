"""The library page: add files, search, show a paper, remove it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from markupsafe import Markup

from claimscope._languages import language_name
from claimscope.claims.reading import read_claim
from claimscope.errors import ClaimError, InputError
from claimscope.library.location import DEMO
from claimscope.metadata import Place, details
from claimscope.render.case_view import Card, card
from claimscope.render.svg import picture, rectangle, text
from claimscope.service import documents
from claimscope.service.jobs.actions import require_job, submit_files
from claimscope.service.jobs.imports import ENDINGS
from claimscope.service.jobs.queue import Kind
from claimscope.service.problems import ServiceError
from claimscope.service.state import Service, ServiceOf
from claimscope.service.web.pages.jobs import job_address, show_job
from claimscope.service.web.rendering import go_to, page
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
from claimscope.types import Candidate, Document

router = APIRouter(include_in_schema=False)
PAGE = "library"
_RECENT = 5
Words = Annotated[str, Query(max_length=2_000)]
_ROWS = 20
_FOUND = 50
_BAR, _HIGH = 46.0, 70.0


@router.get("/library")
async def show_library(
    request: Request, service: ServiceOf, visitor: PageReader, q: Words = "", after: Words = ""
) -> Response:
    """Show statistics of the library, and its papers or the results of a search."""
    return await service.searches.run(lambda: _library(request, service, visitor, q, after))


@router.post("/library/imports")
async def add_files(
    request: Request, service: ServiceOf, visitor: PageWriter, form: CheckedForm
) -> Response:
    """Create a job that imports files."""
    service.require_changeable()
    files = files_of(form, "files")
    try:
        if not files:
            raise InputError("No file was chosen; choose files or drop them here.")
        names = "\n".join(f"{file.filename} {file.size}" for file in files)
        key = key_of(visitor, form, names.encode())
        job = await asyncio.to_thread(submit_files, service, files, key)
    except InputError as error:
        return await asyncio.to_thread(
            _library, request, service, visitor, "", "", error=str(error), status=422
        )
    service.worker.wake()
    return go_to(job_address(job))


@router.get("/library/imports/{job_id}")
def show_import(request: Request, service: ServiceOf, visitor: PageReader, job_id: str) -> Response:
    """Show the progress of an import, and which records could not be read and why."""
    job = require_job(service, job_id)
    if job.kind is not Kind.IMPORT:
        return go_to(job_address(job))
    return page(request, visitor, "import.html.j2", PAGE, job=show_job(job))


# Ids may contain slashes, as DOIs do, so the rest of the path is the id.
@router.get("/library/papers/{document_id:path}")
def show_paper(
    request: Request, service: ServiceOf, visitor: PageReader, document_id: str
) -> Response:
    """Show one paper with all its metadata."""
    paper = _paper(service, documents.require_document(service, document_id))
    return page(request, visitor, "paper.html.j2", PAGE, paper=paper)


@router.get("/library/remove")
def confirm_removal(
    request: Request, service: ServiceOf, visitor: PageWriter, document: Words
) -> Response:
    """Ask for confirmation before a paper is removed."""
    paper = _paper(service, documents.require_document(service, document))
    return page(request, visitor, "remove.html.j2", PAGE, paper=paper)


@router.post("/library/remove")
def remove(service: ServiceOf, _visitor: PageWriter, form: CheckedForm) -> Response:
    """Remove a paper."""
    document = text_of(form, "document")
    if text_of(form, "sure") != "yes":
        raise ServiceError(422, "Confirm that the paper should be removed, and try again.")
    documents.remove_document(service, document)
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
        found = _find(service, query, after)
    except ClaimError as wrong:
        found, error, status = _find(service, "", ""), str(wrong), 422
    values: dict[str, Any] = {
        "query": query,
        "found": found,
        "error": error,
        "numbers": _numbers(service),
        "imports": [show_job(job) for job in service.jobs.latest(None, _RECENT, Kind.IMPORT)],
        "key": new_cookie(),
        "endings": sorted(ENDINGS),
    }
    return page(request, visitor, "library.html.j2", PAGE, status, **values)


@dataclass(frozen=True, slots=True)
class Listing:
    """The papers of a search, or a page of the whole library."""

    papers: tuple[Card, ...]
    is_search: bool
    following: str | None
    """The value of `after` for the next page."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The statistics of a library."""

    documents: int
    without_abstract: int
    retracted: int
    megabytes: str
    languages: str
    decades: Markup | None
    is_changeable: bool


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper with all its metadata."""

    card: Card
    sentences: tuple[str, ...]
    facts: dict[str, str]
    is_changeable: bool


def _find(service: Service, query: str, after: str) -> Listing:
    """Search the library, or list it one page at a time."""
    if query.strip():
        found = documents.search(service, read_claim(query).text, _FOUND)
        return Listing(tuple(_cards([item for _, item in found])), True, None)
    listed, following = documents.list_documents(service, after, _ROWS)
    return Listing(tuple(_cards(listed)), False, following)


def _numbers(service: Service) -> Numbers:
    """Return the statistics of the library."""
    found = service.library.statistics()
    languages = (
        f"{language_name(code) if code else 'unknown'} {count:,}"
        for code, count in found.languages.items()
    )
    return Numbers(
        documents=found.documents,
        without_abstract=found.without_abstract,
        retracted=found.retracted,
        megabytes="–" if found.bytes_on_disk is None else f"{found.bytes_on_disk / 1e6:,.1f}",
        languages=", ".join(languages),
        decades=_decades({year: count for year, count in found.years.items() if year}),
        is_changeable=service.settings.library != DEMO,
    )


def _paper(service: Service, document: Document) -> Paper:
    """Prepare a paper for its page."""
    [shown] = _cards([document])
    facts = {"Id": document.id, **details(document.meta, Place.STUDY, Place.DETAIL)}
    return Paper(shown, document.sentences, facts, service.settings.library != DEMO)


def _cards(documents: list[Document]) -> list[Card]:
    return [card(Candidate(item), rank) for rank, item in enumerate(documents, start=1)]


def _decades(years: dict[int | None, int]) -> Markup | None:
    """Draw a bar chart of the papers per decade."""
    counts: dict[int, int] = {}
    for year, count in years.items():
        if year is not None:
            counts[year // 10 * 10] = counts.get(year // 10 * 10, 0) + count
    if not counts:
        return None
    decades = range(min(counts), max(counts) + 10, 10)
    most = max(counts.values())
    drawn = []
    for place, decade in enumerate(decades):
        count = counts.get(decade, 0)
        height = _HIGH * count / most
        x = place * _BAR
        tip = f"{decade}s: {count:,}"
        drawn.append(rectangle(x + 4, _HIGH + 16 - height, _BAR - 8, height, "bar", tip))
        drawn.append(text(x + _BAR / 2, _HIGH + 12 - height, f"{count:,}", "value", "middle"))
        drawn.append(text(x + _BAR / 2, _HIGH + 34, f"{decade}s", "tick", "middle"))
    words = "; ".join(f"{decade}s {counts.get(decade, 0):,}" for decade in decades)
    return picture("Papers by decade", words, len(decades) * _BAR, _HIGH + 40, *drawn)
