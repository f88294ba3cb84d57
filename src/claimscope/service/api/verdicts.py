"""Saved verdicts: the history of claims, and what people say of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from claimscope.case_json import to_dict
from claimscope.claims.reading import LONGEST_CLAIM, read_claim
from claimscope.labels import Label
from claimscope.service.api.checking import CheckRequest
from claimscope.service.corrections import to_scifact
from claimscope.service.jobs.saved import Correction, SavedVerdict
from claimscope.service.models import SavedListModel, SavedModel
from claimscope.service.problems import ServiceError, documented
from claimscope.service.security import Reader, Writer
from claimscope.service.state import Service, ServiceOf

router = APIRouter(tags=["verdicts"])
_PAGE = 100
Number = Annotated[int, Path(ge=1, le=1 << 62)]


class CorrectionRequest(BaseModel):
    """A person's own label for a document of the verdict, or for the claim without a document."""

    model_config = ConfigDict(extra="forbid")
    label: Literal["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", "DISPUTED"]
    document: str = Field("", max_length=1_000)
    note: str = Field("", max_length=2_000)


@router.post("/verdicts", status_code=201, response_model=SavedModel, responses=documented())
async def save(request: CheckRequest, service: ServiceOf, _client: Writer) -> dict[str, Any]:
    """Check a claim and save the verdict; saved twice on the same library it is one entry."""
    batcher = service.offered.named(request.preset)
    [case] = await batcher.check([read_claim(request.claim, request.id)])
    saved = await asyncio.to_thread(service.verdicts.save, case)
    return _shown(service, saved)


@router.get("/verdicts", response_model=SavedListModel, responses=documented())
def list_verdicts(
    service: ServiceOf,
    _client: Reader,
    claim: Annotated[str | None, Query(max_length=LONGEST_CLAIM)] = None,
    before: Annotated[int | None, Query(ge=0, le=1 << 62)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """List saved verdicts, the newest first; or all of one claim, the oldest first."""
    if claim is not None:
        history = service.verdicts.history(read_claim(claim).text)
        return {"verdicts": [_shown(service, item, False) for item in history], "next": None}
    found = service.verdicts.latest(before, limit)
    return {
        "verdicts": [_shown(service, item, False) for item in found],
        "next": found[-1].number if len(found) == limit else None,
    }


@router.get(
    "/verdicts/corrections.jsonl",
    response_class=StreamingResponse,
    responses=documented()
    | {200: {"content": {"application/x-ndjson": {}}, "description": "A claim a line"}},
)
def download_corrections(service: ServiceOf, _client: Reader) -> StreamingResponse:
    """Download what people confirmed or corrected, as claims in SciFact's format to train on."""
    return StreamingResponse(correction_lines(service), media_type="application/x-ndjson")


@router.get("/verdicts/{number:int}", response_model=SavedModel, responses=documented(404))
def show_verdict(number: Number, service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Show a saved verdict with its evidence."""
    return _shown(service, require_saved(service, number))


@router.put(
    "/verdicts/{number:int}/correction", response_model=SavedModel, responses=documented(404)
)
def correct(
    number: Number, request: CorrectionRequest, service: ServiceOf, _client: Writer
) -> dict[str, Any]:
    """Confirm or correct a label."""
    correction = Correction(request.document, Label(request.label), request.note)
    keep_correction(service, number, correction)
    return _shown(service, require_saved(service, number))


@router.delete("/verdicts/{number:int}", status_code=204, responses=documented(404))
def remove_verdict(number: Number, service: ServiceOf, _client: Writer) -> Response:
    """Forget a saved verdict."""
    if not service.verdicts.remove(number):
        raise _unknown(number)
    return Response(status_code=204)


def correction_lines(service: Service) -> Iterator[str]:
    """Give every corrected verdict as a line of JSON."""
    after = 0
    while found := service.verdicts.corrected(after, _PAGE):
        yield from (json.dumps(to_scifact(saved)) + "\n" for saved in found)
        after = found[-1].number


def keep_correction(service: Service, number: int, correction: Correction) -> None:
    """Keep what a person says of a saved verdict, if it can be said of it."""
    saved = require_saved(service, number)
    known = {candidate.document.id for candidate in saved.case.candidates}
    if correction.document and correction.document not in known:
        unknown = correction.document[:200]
        raise ServiceError(422, f"Document {unknown!r} is no candidate of this verdict; name one.")
    if correction.document and correction.label is Label.DISPUTED:
        raise ServiceError(
            422, "Only a whole claim can be DISPUTED; give a document another label."
        )
    service.verdicts.correct(number, correction)


def require_saved(service: Service, number: int) -> SavedVerdict:
    """Give a saved verdict, or answer 404."""
    saved = service.verdicts.get(number)
    if saved is None:
        raise _unknown(number)
    return saved


def _unknown(number: int) -> ServiceError:
    return ServiceError(404, f"There is no saved verdict {number}; /api/v1/verdicts lists them.")


def _shown(service: Service, saved: SavedVerdict, with_result: bool = True) -> dict[str, Any]:
    return {
        "number": saved.number,
        "claim": saved.claim,
        "preset": saved.preset,
        "library_revision": saved.revision,
        "label": saved.label.verdict if saved.label else None,
        "is_current": saved.holds_at(service.library.revision),
        "saved_at": saved.saved_at,
        "corrections": [
            {"document": item.document, "label": item.label.value, "note": item.note}
            for item in saved.corrections
        ],
        "result": to_dict(saved.case) if with_result else None,
    }
