"""The room to check one claim: the answer, its files, and why a paper was not used."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from claimscope.claims.reading import read_claim
from claimscope.errors import ClaimError, UnknownNameError
from claimscope.render.case_view import show
from claimscope.render.exports import FORMATS
from claimscope.service.state import ServiceOf
from claimscope.service.streaming import check_events, respond
from claimscope.service.web.rendering import PAGE_HEADERS, fragment, page
from claimscope.service.web.session import PageReader
from claimscope.service.web.views import checking as views
from claimscope.types import Case

router = APIRouter(include_in_schema=False)
ROOM = "check"
Words = Annotated[str, Query(max_length=20_000)]
Preset = Annotated[str, Query(max_length=200)]
"""The preset that a visitor chose; empty for the first."""


@router.get("/")
async def show_check(
    request: Request,
    service: ServiceOf,
    visitor: PageReader,
    claim: Words = "",
    preset: Preset = "",
) -> Response:
    """Show the form, and below it the answer to the claim in the address."""
    batcher = service.offered.named(preset or None)
    values: dict[str, Any] = {"claim": claim.strip(), "error": ""}
    values["about"] = views.about(service, batcher.checker.preset)
    if not claim.strip():
        return page(request, visitor, "check.html.j2", ROOM, **values)
    try:
        [case] = await batcher.check([read_claim(claim)])
    except ClaimError as error:
        values["error"] = str(error)
        return page(request, visitor, "check.html.j2", ROOM, 422, **values)
    return page(request, visitor, "check.html.j2", ROOM, **values, **_answer(case, preset))


@router.get("/stream")
async def stream_check(
    request: Request, service: ServiceOf, visitor: PageReader, claim: Words, preset: Preset = ""
) -> StreamingResponse:
    """Send the answer in two parts as events: the papers once they are found, then the verdict."""

    def shown(case: Case) -> dict[str, Any]:
        values = _answer(case, preset)
        text = fragment("_result.html.j2", visitor, **values)
        return {"html": text, "said": views.said(values["view"])}

    events = check_events(service.offered.named(preset or None), read_claim(claim), shown)
    return respond(events, request.state.request_id)


@router.get("/download/{name}")
async def download(
    service: ServiceOf, _visitor: PageReader, name: str, claim: Words, preset: Preset = ""
) -> Response:
    """Give the answer as a file; the same claim and library give the same file."""
    if name not in FORMATS:
        raise UnknownNameError("format", name[:40], FORMATS)
    [case] = await service.offered.named(preset or None).check([read_claim(claim)])
    return file_of(name, case)


@router.get("/why")
async def show_why(
    request: Request,
    service: ServiceOf,
    visitor: PageReader,
    claim: Words,
    paper: Words = "",
    preset: Preset = "",
) -> Response:
    """Say what became of a paper that the reader names by its id or by words of its title."""
    batcher = service.offered.named(preset or None)
    values: dict[str, Any] = {"claim": read_claim(claim).text, "paper": paper, "error": ""}
    values["asked"] = views.asked(values["claim"], preset)
    named = views.named(service, paper) if paper.strip() else None
    if named is None or named.chosen is None:
        values["error"] = "No paper of the library has this id or these words." if paper else ""
        return page(request, visitor, "why.html.j2", ROOM, 404 if paper else 200, **values)
    found = await batcher.why(claim, named.chosen.id)
    return page(request, visitor, "why.html.j2", ROOM, found=found, named=named, **values)


def _answer(case: Case, preset: str) -> dict[str, Any]:
    view = show(case)
    return {"view": view, "asked": views.asked(view.claim, preset), "formats": FORMATS}


def file_of(name: str, case: Case) -> Response:
    """Make the file of a case; it is downloaded, never shown as a page of this site."""
    chosen = FORMATS[name]
    file_name = f"{views.file_name(case.claim.text)}.{chosen.ending}"
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"', **PAGE_HEADERS}
    return Response(chosen.write(case), media_type=chosen.media_type, headers=headers)
