"""Save verdicts, list them, and correct their labels."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from claimscope.case_json import to_dict
from claimscope.claims.reading import LONGEST_CLAIM, read_claim
from claimscope.labels import Label
from claimscope.service import verdicts
from claimscope.service.api.check import CheckRequest
from claimscope.service.batching import while_connected
from claimscope.service.jobs.saved import Correction, SavedVerdict
from claimscope.service.problems import documented
from claimscope.service.schemas import SavedListModel, SavedModel
from claimscope.service.security import Reader, Writer
from claimscope.service.state import Service, ServiceOf

router = APIRouter(tags=["verdicts"])
Number = Annotated[int, Path(ge=1, le=1 << 62)]


class CorrectionRequest(BaseModel):
    """A person's label for a document or, without a document, for the whole claim."""

    model_config = ConfigDict(extra="forbid")
    label: Literal["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", "DISPUTED"]
    document: str = Field("", max_length=1_000)
    note: str = Field("", max_length=2_000)


@router.post("/verdicts", status_code=201, response_model=SavedModel, responses=documented())
async def save(
    request: CheckRequest, http: Request, service: ServiceOf, _client: Writer
) -> dict[str, Any]:
    """Check a claim and save its verdict; an unchanged library gives the same entry."""
    batcher = service.presets.named(request.preset)
    work = batcher.check([read_claim(request.claim, request.id)])
    [case] = await while_connected(http, work)
    saved = await asyncio.to_thread(service.verdicts.save, case)
    return _to_dict(service, saved)


@router.get("/verdicts", response_model=SavedListModel, responses=documented())
def list_verdicts(
    service: ServiceOf,
    _client: Reader,
    claim: Annotated[str | None, Query(max_length=LONGEST_CLAIM)] = None,
    before: Annotated[int | None, Query(ge=0, le=1 << 62)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """List saved verdicts, newest first; with `claim`, all verdicts on it, oldest first."""
    if claim is not None:
        history = service.verdicts.history(read_claim(claim).text)
        return {"verdicts": [_to_dict(service, item, False) for item in history], "next": None}
    found = service.verdicts.latest(before, limit)
    return {
        "verdicts": [_to_dict(service, item, False) for item in found],
        "next": found[-1].number if len(found) == limit else None,
    }


@router.get(
    "/verdicts/corrections.jsonl",
    response_class=StreamingResponse,
    responses=documented()
    | {200: {"content": {"application/x-ndjson": {}}, "description": "One claim per line"}},
)
def download_corrections(service: ServiceOf, _client: Reader) -> StreamingResponse:
    """Download the labels of people as claims in SciFact's format, for training."""
    return StreamingResponse(verdicts.correction_lines(service), media_type="application/x-ndjson")


@router.get("/verdicts/{number:int}", response_model=SavedModel, responses=documented(404))
def show_verdict(number: Number, service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Show a saved verdict with its evidence."""
    return _to_dict(service, verdicts.require_verdict(service, number))


@router.put(
    "/verdicts/{number:int}/correction", response_model=SavedModel, responses=documented(404)
)
def correct(
    number: Number, request: CorrectionRequest, service: ServiceOf, _client: Writer
) -> dict[str, Any]:
    """Confirm or correct a label."""
    correction = Correction(request.document, Label(request.label), request.note)
    return _to_dict(service, verdicts.save_correction(service, number, correction))


@router.delete("/verdicts/{number:int}", status_code=204, responses=documented(404))
def remove_verdict(number: Number, service: ServiceOf, _client: Writer) -> Response:
    """Delete a saved verdict."""
    verdicts.remove_verdict(service, number)
    return Response(status_code=204)


def _to_dict(service: Service, saved: SavedVerdict, with_result: bool = True) -> dict[str, Any]:
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
