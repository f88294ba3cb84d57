"""The room to check a text: its checkable sentences are found, and each is checked."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from claimscope.detect import find_claims
from claimscope.service.state import Service, ServiceOf
from claimscope.service.web.forms import CheckedForm, text_of
from claimscope.service.web.rendering import page
from claimscope.service.web.session import PageReader
from claimscope.service.web.views import text as views

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
    text = text_of(form, "text")
    batcher = service.offered.named(text_of(form, "preset") or None)
    values = _values(service, text, batcher.checker.preset.name)
    if not text.strip() or len(text) > views.LONGEST_TEXT:
        values["error"] = f"Paste a text of up to {views.LONGEST_TEXT:,} characters."
        return page(request, visitor, "text.html.j2", ROOM, 422, **values)
    sentences = find_claims(text)
    claims = views.checkable(sentences, service.settings.limits.claims)
    cases = await batcher.check([claim for _, claim in claims]) if claims else []
    found = {place: case for (place, _), case in zip(claims, cases, strict=True)}
    values["view"] = views.show_text(text, sentences, found)
    return page(request, visitor, "text.html.j2", ROOM, **values)


def _values(service: Service, text: str, chosen: str) -> dict[str, Any]:
    presets = tuple(service.offered.batchers)
    return {"text": text, "error": "", "view": None, "presets": presets, "chosen": chosen}
