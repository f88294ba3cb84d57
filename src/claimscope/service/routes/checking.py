"""Check claims: one, several, or one with its candidates first."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from claimscope.claims import LONGEST_CLAIM, read_claim
from claimscope.errors import ClaimscopeError
from claimscope.pipeline.result import to_dict
from claimscope.service.batching import Batcher
from claimscope.service.models import ASPIRIN, CaseListModel, CaseModel
from claimscope.service.problems import ServiceError, answer_to, describe, documented
from claimscope.service.security import Reader
from claimscope.service.state import Service, ServiceOf
from claimscope.types import Case, Claim

router = APIRouter(tags=["check"])


PRESET = "One of the presets that the service offers; without it, the first of them."
PresetQuery = Annotated[str | None, Query(max_length=200, description=PRESET)]


class ClaimRequest(BaseModel):
    """A claim with an id of the client's own."""

    model_config = ConfigDict(extra="forbid")
    claim: str = Field(examples=[ASPIRIN])
    id: str = Field("", max_length=200)


class CheckRequest(ClaimRequest):
    """A claim to check."""

    preset: str | None = Field(None, max_length=200, description=PRESET)


class CheckManyRequest(BaseModel):
    """Claims to check together."""

    model_config = ConfigDict(extra="forbid")
    claims: list[str | ClaimRequest] = Field(
        min_length=1,
        examples=[[ASPIRIN, {"id": "2", "claim": "Coffee in the evening aids sleep."}]],
    )
    preset: str | None = Field(None, max_length=200, description=PRESET)


@router.post("/check", response_model=CaseModel, responses=documented())
async def check(request: CheckRequest, service: ServiceOf, _client: Reader) -> dict[str, Any]:
    """Check one claim."""
    batcher = service.offered.named(request.preset)
    [case] = await batcher.check([read_claim(request.claim, request.id)])
    return to_dict(case)


@router.post("/check/many", response_model=CaseListModel, responses=documented())
async def check_many(
    request: CheckManyRequest, service: ServiceOf, _client: Reader
) -> dict[str, Any]:
    """Check several claims together; for more than a few, make a job."""
    limit = service.settings.limits.claims
    if len(request.claims) > limit:
        raise ServiceError(
            422, f"One request checks at most {limit} claims; make a job at /api/v1/jobs for more."
        )
    batcher = service.offered.named(request.preset)
    cases = await batcher.check([_claim(item) for item in request.claims])
    return {"results": [to_dict(case) for case in cases]}


_STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events"}
}


@router.post("/check/stream", responses=documented() | _STREAM, response_class=StreamingResponse)
async def check_stream(
    request: CheckRequest, http: Request, service: ServiceOf, _client: Reader
) -> StreamingResponse:
    """Check one claim: an event "candidates" once papers are found, then "verdict" or "problem"."""
    claim = read_claim(request.claim, request.id)
    return stream(service, claim, http.state.request_id, to_dict, request.preset)


@router.get("/check/stream", responses=documented() | _STREAM, response_class=StreamingResponse)
async def check_event_source(
    http: Request,
    service: ServiceOf,
    _client: Reader,
    claim: Annotated[str, Query(max_length=LONGEST_CLAIM, examples=[ASPIRIN])],
    preset: PresetQuery = None,
) -> StreamingResponse:
    """Do the same for a browser's EventSource, which can only GET."""
    return stream(service, read_claim(claim), http.state.request_id, to_dict, preset)


def _claim(item: str | ClaimRequest) -> Claim:
    return read_claim(item) if isinstance(item, str) else read_claim(item.claim, item.id)


def stream(
    service: Service,
    claim: Claim,
    request_id: str,
    shown: Callable[[Case], dict[str, Any]],
    preset: str | None = None,
) -> StreamingResponse:
    """Answer with a claim's events, each case in the form that `shown` gives it."""
    events = _events(service.offered.named(preset), claim, request_id, shown)
    return StreamingResponse(events, media_type="text/event-stream")


async def _events(
    batcher: Batcher, claim: Claim, request_id: str, shown: Callable[[Case], dict[str, Any]]
) -> AsyncIterator[str]:
    found: asyncio.Queue[Case] = asyncio.Queue()
    checking = asyncio.create_task(batcher.check([claim], found.put_nowait))
    first = asyncio.create_task(found.get())
    try:
        await asyncio.wait({checking, first}, return_when=asyncio.FIRST_COMPLETED)
        if first.done():
            yield _event("candidates", shown(first.result()))
        try:
            [case] = await checking
        except ClaimscopeError as error:
            status, detail, _ = answer_to(error)
            yield _event("problem", describe(status, detail, request_id))
        else:
            yield _event("verdict", shown(case))
    finally:
        checking.cancel()
        first.cancel()


def _event(name: str, value: dict[str, Any]) -> str:
    """Write an event; JSON puts no line break into the data."""
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=True)}\n\n"
