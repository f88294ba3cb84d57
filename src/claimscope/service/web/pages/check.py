"""The start page: check one claim, download the result, ask why a paper was not used."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from claimscope.claims.reading import read_claim
from claimscope.errors import ClaimError, UnknownNameError
from claimscope.library.location import DEMO
from claimscope.pipeline.preset import Preset
from claimscope.render.case_view import CaseView, show
from claimscope.render.exports import FORMATS
from claimscope.service.batching import while_connected
from claimscope.service.documents import find_named
from claimscope.service.state import Service, ServiceOf
from claimscope.service.streaming import check_events, respond
from claimscope.service.web.rendering import download_headers, fragment, page
from claimscope.service.web.session import PageReader
from claimscope.types import Case

router = APIRouter(include_in_schema=False)
PAGE = "check"
Words = Annotated[str, Query(max_length=20_000)]
PresetName = Annotated[str, Query(max_length=200)]
"""The preset that the visitor chose; empty for the default."""
_LONGEST_FILE_NAME = 50
EXAMPLES = (
    "Aspirin lowers the risk of heart attack.",
    "Beta-carotene supplements prevent lung cancer.",
    "Omega-3 fatty acids lower the risk of heart attack.",
)
"""Claims to try; the built-in library supports, refutes and disputes them."""


@router.get("/")
async def show_check(
    request: Request,
    service: ServiceOf,
    visitor: PageReader,
    claim: Words = "",
    preset: PresetName = "",
) -> Response:
    """Show the form and, below it, the result for the claim in the address."""
    batcher = service.presets.named(preset or None)
    values: dict[str, Any] = {"claim": claim.strip(), "error": ""}
    values["about"] = _about(service, batcher.checker.preset)
    if not claim.strip():
        return page(request, visitor, "check.html.j2", PAGE, **values)
    try:
        [case] = await while_connected(request, batcher.check([read_claim(claim)]))
    except ClaimError as error:
        values["error"] = str(error)
        return page(request, visitor, "check.html.j2", PAGE, 422, **values)
    return page(request, visitor, "check.html.j2", PAGE, **values, **_answer(case, preset))


@router.get("/stream")
async def stream_check(
    request: Request, service: ServiceOf, visitor: PageReader, claim: Words, preset: PresetName = ""
) -> StreamingResponse:
    """Send the result as two events: the papers once they are found, then the verdict."""

    def shown(case: Case) -> dict[str, Any]:
        values = _answer(case, preset)
        text = fragment("_result.html.j2", visitor, **values)
        return {"html": text, "said": announcement(values["view"])}

    events = check_events(service.presets.named(preset or None), read_claim(claim), shown)
    return respond(events, request.state.request_id)


@router.get("/download/{name}")
async def download(
    request: Request,
    service: ServiceOf,
    _visitor: PageReader,
    name: str,
    claim: Words,
    preset: PresetName = "",
) -> Response:
    """Return the result as a file; the same claim and library give the same file."""
    if name not in FORMATS:
        raise UnknownNameError("format", name[:40], FORMATS)
    work = service.presets.named(preset or None).check([read_claim(claim)])
    [case] = await while_connected(request, work)
    return result_file(name, case)


@router.get("/why")
async def show_why(
    request: Request,
    service: ServiceOf,
    visitor: PageReader,
    claim: Words,
    paper: Words = "",
    preset: PresetName = "",
) -> Response:
    """Explain what happened to a paper, named by its id or by words of its title."""
    batcher = service.presets.named(preset or None)
    values: dict[str, Any] = {"claim": read_claim(claim).text, "paper": paper, "error": ""}
    values["query"] = query_values(values["claim"], preset)
    find = service.searches.run(lambda: find_named(service, paper)) if paper.strip() else None
    named = await find if find else None
    if named is None or named.chosen is None:
        values["error"] = "The library has no paper with this id or these words." if paper else ""
        return page(request, visitor, "why.html.j2", PAGE, 404 if paper else 200, **values)
    found = await while_connected(request, batcher.why(claim, named.chosen.id))
    return page(request, visitor, "why.html.j2", PAGE, found=found, named=named, **values)


def _answer(case: Case, preset: str) -> dict[str, Any]:
    view = show(case)
    return {"view": view, "query": query_values(view.claim, preset), "formats": FORMATS}


def result_file(name: str, case: Case) -> Response:
    """Return a result as a file to download."""
    chosen = FORMATS[name]
    file_name = f"{_file_name(case.claim.text)}.{chosen.ending}"
    headers = download_headers(file_name)
    return Response(chosen.write(case), media_type=chosen.media_type, headers=headers)


@dataclass(frozen=True, slots=True)
class About:
    """The library and the presets that the page shows."""

    documents: int
    preset: str
    is_demo: bool
    presets: tuple[str, ...]
    """The presets that a visitor can choose."""
    examples: tuple[str, ...] = EXAMPLES


def _about(service: Service, preset: Preset) -> About:
    """Prepare what the page says about the library and the presets."""
    is_demo = service.settings.library == DEMO
    names = service.presets.names
    return About(len(service.library), preset.name, is_demo, names)


def query_values(claim: str, preset: str) -> dict[str, str]:
    """Return the query of a result's address; it does not name the default preset."""
    return {"claim": claim} | ({"preset": preset} if preset else {})


def announcement(view: CaseView) -> str:
    """Return the sentence that a screen reader speaks when a part of the result arrives."""
    if view.tone == "reading":
        return f"{view.headline}…"
    sure = "" if view.confidence is None else f", confidence {view.confidence:.2f}"
    return f"{view.headline}{sure}. {view.answer}"


def _file_name(claim: str) -> str:
    """Return a file name made of the words of a claim."""
    words = re.sub(r"[^a-z0-9]+", "-", claim.lower()).strip("-")
    return words[:_LONGEST_FILE_NAME].strip("-") or "claim"
