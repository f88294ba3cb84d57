"""Sends the results for a claim, or for the claims of a text, as server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing
from typing import Any

from fastapi.responses import StreamingResponse

from claimscope.errors import ClaimscopeError
from claimscope.service.batching import Batcher
from claimscope.service.problems import answer_to, describe
from claimscope.types import Case, Claim

MEDIA_TYPE = "text/event-stream"
Event = tuple[str, dict[str, Any]]
"""The name of an event and its data."""
ToData = Callable[[Case], dict[str, Any]]
"""Converts a case to the data of an event."""


def respond(events: AsyncGenerator[Event], request_id: str) -> StreamingResponse:
    """Answer with events; an error ends the stream with an event "problem"."""
    return StreamingResponse(_formatted(events, request_id), media_type=MEDIA_TYPE)


def check_events(batcher: Batcher, claim: Claim, to_data: ToData) -> AsyncGenerator[Event]:
    """Check a claim; yield "candidates" once they are retrieved, then "verdict"."""
    batcher.admit(1)  # A stream that has begun can no longer be answered with 503.
    return _check_events(batcher, claim, to_data)


async def _check_events(batcher: Batcher, claim: Claim, to_data: ToData) -> AsyncGenerator[Event]:
    found: asyncio.Queue[Case] = asyncio.Queue()
    checking = asyncio.create_task(batcher.check([claim], found.put_nowait))
    first = asyncio.create_task(found.get())
    try:
        await asyncio.wait({checking, first}, return_when=asyncio.FIRST_COMPLETED)
        if first.done():
            yield "candidates", to_data(first.result())
        [case] = await checking
        yield "verdict", to_data(case)
    finally:
        # Stop working for a client that has disconnected.
        checking.cancel()
        first.cancel()


def text_events(
    batcher: Batcher, sentences: dict[str, Any], claims: Iterable[Claim], to_data: ToData
) -> AsyncGenerator[Event]:
    """Yield the "sentences" of a text, then check its claims one after another.

    Checking them together would be a little faster, but all verdicts would come at the end.
    """
    batcher.admit(1)
    return _text_events(batcher, sentences, claims, to_data)


async def _text_events(
    batcher: Batcher, sentences: dict[str, Any], claims: Iterable[Claim], to_data: ToData
) -> AsyncGenerator[Event]:
    yield "sentences", sentences
    for claim in claims:
        async with aclosing(check_events(batcher, claim, to_data)) as events:
            async for event in events:
                yield event


async def _formatted(events: AsyncGenerator[Event], request_id: str) -> AsyncIterator[str]:
    async with aclosing(events):
        try:
            async for name, value in events:
                yield _event(name, value)
        except ClaimscopeError as error:
            status, detail, _ = answer_to(error)
            yield _event("problem", describe(status, detail, request_id))


def _event(name: str, value: dict[str, Any]) -> str:
    """Format an event; JSON contains no line break, so the data is one line."""
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=True)}\n\n"
