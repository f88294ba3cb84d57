"""The room to check a text: its checkable sentences are found, and each is checked."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from starlette.datastructures import FormData

from claimscope.errors import InputError
from claimscope.service.state import Service, ServiceOf
from claimscope.service.streaming import respond, text_events
from claimscope.service.texts import LONGEST_TEXT, ReadText, read_text
from claimscope.service.web.forms import CheckedForm, text_of
from claimscope.service.web.rendering import fragment, page
from claimscope.service.web.session import PageReader
from claimscope.service.web.views import text as views
from claimscope.types import Case

router = APIRouter(include_in_schema=False)
ROOM = "text"


@router.get("/text")
async def show_form(request: Request, service: ServiceOf, visitor: PageReader) -> Response:
    """Show the form."""
    return page(request, visitor, "text.html.j2", ROOM, **_values(service, "", ""))


@router.post("/text")
async def check_text(
    request: Request, service: ServiceOf, visitor: PageReader, form: CheckedForm
) -> Response:
    """Find the claims of a text and check them together."""
    preset = text_of(form, "preset")
    batcher = service.offered.named(preset or None)
    values = _values(service, _text(form), batcher.checker.preset.name)
    try:
        found = _read(service, form)
    except InputError as error:
        values["error"] = str(error)
        return page(request, visitor, "text.html.j2", ROOM, 422, **values)
    cases = await batcher.check(list(found.claims.values())) if found.claims else []
    known = dict(zip(found.claims, cases, strict=True))
    values["view"] = views.show_text(found, known, preset)
    return page(request, visitor, "text.html.j2", ROOM, **values)


@router.post("/text/stream")
async def stream_text(
    request: Request, service: ServiceOf, visitor: PageReader, form: CheckedForm
) -> StreamingResponse:
    """Send the same in parts as events: the sentences, then each claim as it is checked."""
    preset = text_of(form, "preset")
    batcher = service.offered.named(preset or None)
    found = _read(service, form)
    view = views.show_text(found, {}, preset)
    first = {"html": fragment("_text.html.j2", visitor, view=view), "said": view.said}

    def shown(case: Case) -> dict[str, Any]:
        piece = views.show_claim(found, case, preset)
        return {
            "number": piece.number,
            "tone": piece.tone,
            "html": fragment("_text_claim.html.j2", visitor, piece=piece),
            "said": views.said_of(piece, len(found.claims)),
        }

    events = text_events(batcher, first, found.claims.values(), shown)
    return respond(events, request.state.request_id)


def _read(service: Service, form: FormData) -> ReadText:
    return read_text(_text(form), service.settings.limits.claims)


def _text(form: FormData) -> str:
    # Browsers send a line break as two characters and count it as one.
    return text_of(form, "text").replace("\r\n", "\n")


def _values(service: Service, text: str, chosen: str) -> dict[str, Any]:
    presets = tuple(service.offered.batchers)
    return {
        "text": text,
        "longest": LONGEST_TEXT,
        "error": "",
        "view": None,
        "presets": presets,
        "chosen": chosen,
    }
