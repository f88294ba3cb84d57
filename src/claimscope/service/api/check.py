"""Check one claim, several claims, or the claims of a text."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from claimscope.case_json import to_dict
from claimscope.claims.reading import LONGEST_CLAIM, read_claim
from claimscope.service.batching import while_connected
from claimscope.service.case_schemas import ASPIRIN, CaseModel
from claimscope.service.claim_input import LONGEST_TEXT, read_text
from claimscope.service.problems import ServiceError, documented
from claimscope.service.schemas import CaseListModel
from claimscope.service.security import Reader
from claimscope.service.state import ServiceOf
from claimscope.service.streaming import MEDIA_TYPE, check_events, respond, text_events
from claimscope.types import Claim

router = APIRouter(tags=["check"])


PRESET = "A preset that the service offers; the default is the first."
PresetQuery = Annotated[str | None, Query(max_length=200, description=PRESET)]


class ClaimRequest(BaseModel):
    """A claim with an id that the client chooses."""

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


class TextRequest(BaseModel):
    """A text whose claims to check."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(
        min_length=1, max_length=LONGEST_TEXT, examples=[f"{ASPIRIN} Who would have thought so?"]
    )
    preset: str | None = Field(None, max_length=200, description=PRESET)


@router.post("/check", response_model=CaseModel, responses=documented())
async def check(
    request: CheckRequest, http: Request, service: ServiceOf, _client: Reader
) -> dict[str, Any]:
    """Check one claim."""
    batcher = service.presets.named(request.preset)
    claim = read_claim(request.claim, request.id)
    [case] = await while_connected(http, batcher.check([claim]))
    return to_dict(case)


@router.post("/check/many", response_model=CaseListModel, responses=documented())
async def check_many(
    request: CheckManyRequest, http: Request, service: ServiceOf, _client: Reader
) -> dict[str, Any]:
    """Check several claims together; for more than 32, create a job."""
    limit = service.settings.limits.claims
    if len(request.claims) > limit:
        raise ServiceError(
            422,
            f"One request checks at most {limit} claims; create a job at /api/v1/jobs for more.",
        )
    batcher = service.presets.named(request.preset)
    claims = [_claim(item) for item in request.claims]
    cases = await while_connected(http, batcher.check(claims))
    return {"results": [to_dict(case) for case in cases]}


def _streamed(*names: str) -> dict[int | str, dict[str, Any]]:
    example = "".join(f"event: {name}\ndata: {{...}}\n\n" for name in names)
    content = {MEDIA_TYPE: {"example": example}}
    return documented() | {200: {"content": content, "description": "Server-sent events"}}


_CHECKED = _streamed("candidates", "verdict")
_TEXT = _streamed("sentences", "candidates", "verdict", "candidates", "verdict")


@router.post("/check/stream", responses=_CHECKED, response_class=StreamingResponse)
async def check_stream(
    request: CheckRequest, http: Request, service: ServiceOf, _client: Reader
) -> StreamingResponse:
    """Check one claim: an event "candidates" once papers are found, then "verdict".

    An error ends the stream with an event "problem".
    """
    batcher = service.presets.named(request.preset)
    events = check_events(batcher, read_claim(request.claim, request.id), to_dict)
    return respond(events, http.state.request_id)


@router.get("/check/stream", responses=_CHECKED, response_class=StreamingResponse)
async def check_event_source(
    http: Request,
    service: ServiceOf,
    _client: Reader,
    claim: Annotated[str, Query(max_length=LONGEST_CLAIM, examples=[ASPIRIN])],
    preset: PresetQuery = None,
) -> StreamingResponse:
    """Check one claim as events, for a browser's EventSource, which can only GET."""
    events = check_events(service.presets.named(preset), read_claim(claim), to_dict)
    return respond(events, http.state.request_id)


@router.post("/check/text/stream", responses=_TEXT, response_class=StreamingResponse)
async def check_text_stream(
    request: TextRequest, http: Request, service: ServiceOf, _client: Reader
) -> StreamingResponse:
    """Find the claims of a text and check the first 32.

    The first event, "sentences", lists all sentences and says which are claims and will be
    checked. Then come "candidates" and "verdict" for each claim; the claim's id is the index of
    its sentence in the list, from 0. An error ends the stream with an event "problem".
    """
    batcher = service.presets.named(request.preset)
    found = read_text(request.text, service.settings.limits.claims)
    events = text_events(batcher, found.to_dict(), found.claims.values(), to_dict)
    return respond(events, http.state.request_id)


def _claim(item: str | ClaimRequest) -> Claim:
    return read_claim(item) if isinstance(item, str) else read_claim(item.claim, item.id)
