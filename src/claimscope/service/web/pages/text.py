"""The text page: find the claims of a text and check each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.datastructures import FormData

from claimscope.case_json import to_dict
from claimscope.errors import InputError
from claimscope.render.case_view import CaseView, show
from claimscope.service.batching import while_connected
from claimscope.service.claim_input import LONGEST_TEXT, ReadText, read_text
from claimscope.service.state import Service, ServiceOf
from claimscope.service.streaming import respond, text_events
from claimscope.service.web.pages.batch import paper_counts
from claimscope.service.web.pages.check import announcement, query_values
from claimscope.service.web.rendering import download_headers, fragment, page
from claimscope.service.web.session import CheckedForm, PageReader, text_of
from claimscope.types import Case

router = APIRouter(include_in_schema=False)
PAGE = "text"


@router.get("/text")
async def show_form(request: Request, service: ServiceOf, visitor: PageReader) -> Response:
    """Show the form."""
    return page(request, visitor, "text.html.j2", PAGE, **_values(service, "", ""))


@router.post("/text")
async def check_text(
    request: Request, service: ServiceOf, visitor: PageReader, form: CheckedForm
) -> Response:
    """Find the claims of a text and check them together."""
    preset = text_of(form, "preset")
    batcher = service.presets.named(preset or None)
    values = _values(service, _text(form), batcher.checker.preset.name)
    try:
        found = _read(service, form)
    except InputError as error:
        values["error"] = str(error)
        return page(request, visitor, "text.html.j2", PAGE, 422, **values)
    claims = list(found.claims.values())
    cases = await while_connected(request, batcher.check(claims)) if claims else []
    known = dict(zip(found.claims, cases, strict=True))
    values["view"] = _show_text(found, known, preset)
    return page(request, visitor, "text.html.j2", PAGE, **values)


@router.post("/text/results.json")
async def download_text(
    service: ServiceOf, _visitor: PageReader, form: CheckedForm
) -> JSONResponse:
    """Return the sentences of a text and the result of each claim as a file."""
    batcher = service.presets.named(text_of(form, "preset") or None)
    found = _read(service, form)
    cases = await batcher.check(list(found.claims.values())) if found.claims else []
    content = {**found.to_dict(), "results": [to_dict(case) for case in cases]}
    return JSONResponse(content, headers=download_headers("claims.json"))


@router.post("/text/stream")
async def stream_text(
    request: Request, service: ServiceOf, visitor: PageReader, form: CheckedForm
) -> StreamingResponse:
    """Send the results as events: the sentences first, then each claim once it is checked."""
    preset = text_of(form, "preset")
    batcher = service.presets.named(preset or None)
    found = _read(service, form)
    view = _show_text(found, {}, preset)
    first = {"html": fragment("_text.html.j2", visitor, view=view), "said": view.announcement}

    def shown(case: Case) -> dict[str, Any]:
        piece = _show_claim(found, case, preset)
        return {
            "number": piece.number,
            "tone": piece.tone,
            "html": fragment("_text_claim.html.j2", visitor, piece=piece),
            "said": _announce(piece, len(found.claims)),
        }

    events = text_events(batcher, first, found.claims.values(), shown)
    return respond(events, request.state.request_id)


def _read(service: Service, form: FormData) -> ReadText:
    return read_text(_text(form), service.settings.limits.claims)


def _text(form: FormData) -> str:
    # Browsers send a line break as two characters but count it as one.
    return text_of(form, "text").replace("\r\n", "\n")


def _values(service: Service, text: str, chosen: str) -> dict[str, Any]:
    return {
        "text": text,
        "longest": LONGEST_TEXT,
        "error": "",
        "view": None,
        "presets": service.presets.names,
        "chosen": chosen,
    }


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of the text, with the white space before it."""

    before: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimPiece(Piece):
    """A sentence that is checked; it waits while it has no view."""

    number: int
    """The number of the claim in the text, from 1."""
    query: dict[str, str]
    view: CaseView | None
    papers: str

    @property
    def tone(self) -> str:
        """The style that marks the sentence."""
        return "waiting" if self.view is None else self.view.tone

    @property
    def is_answered(self) -> bool:
        """Whether the claim has its verdict."""
        return self.tone not in {"waiting", "reading"}


@dataclass(frozen=True, slots=True)
class TextView:
    """A text with its claims."""

    pieces: tuple[Piece, ...]
    claims: int
    passed_over: int
    """The number of claims that are not checked because there are too many."""

    @property
    def checked(self) -> list[ClaimPiece]:
        """The sentences that are checked."""
        return [piece for piece in self.pieces if isinstance(piece, ClaimPiece)]

    @property
    def left_out(self) -> list[Piece]:
        """The sentences that are not checked."""
        return [piece for piece in self.pieces if not isinstance(piece, ClaimPiece)]

    @property
    def announcement(self) -> str:
        """The sentence that a screen reader speaks once the claims are found."""
        return f"Claims found: {len(self.checked)}. Checking each…"


def _show_text(found: ReadText, cases: Mapping[int, Case], preset: str) -> TextView:
    """Prepare a text with the cases so far; every character of the text is shown."""
    pieces = [
        _claim(found, place, cases.get(place), preset)
        if place in found.claims
        else Piece(_before(found, place), sentence.text, sentence.reason)
        for place, sentence in enumerate(found.sentences)
    ]
    claims = sum(sentence.is_claim for sentence in found.sentences)
    return TextView(tuple(pieces), claims, claims - len(found.claims))


def _show_claim(found: ReadText, case: Case, preset: str) -> ClaimPiece:
    """Prepare one claim of a text; its id is the index of its sentence."""
    return _claim(found, int(case.claim.id), case, preset)


def _announce(piece: ClaimPiece, count: int) -> str:
    """Return the sentence that a screen reader speaks when a result arrives."""
    answer = announcement(piece.view) if piece.view else "waiting"
    return f"Claim {piece.number} of {count}: {answer}"


def _claim(found: ReadText, place: int, case: Case | None, preset: str) -> ClaimPiece:
    sentence = found.sentences[place]
    view = None if case is None else show(case)
    return ClaimPiece(
        before=_before(found, place),
        text=sentence.text,
        reason=sentence.reason,
        number=list(found.claims).index(place) + 1,
        query=query_values(found.claims[place].text, preset),
        view=view,
        papers=paper_counts(view),
    )


def _before(found: ReadText, place: int) -> str:
    previous = found.sentences[place - 1].end if place else 0
    return found.text[previous : found.sentences[place].start]
