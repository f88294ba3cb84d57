"""Server-sent events: what is known of a claim, or of the claims of a text, once it is known."""

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
"""The name of an event, and what it tells."""
Shown = Callable[[Case], dict[str, Any]]
"""The form in which a case is told."""


def respond(events: AsyncGenerator[Event], request_id: str) -> StreamingResponse:
    """Answer with events; an error on the way becomes the last of them, "problem"."""
    return StreamingResponse(_written(events, request_id), media_type=MEDIA_TYPE)


async def check_events(batcher: Batcher, claim: Claim, shown: Shown) -> AsyncGenerator[Event]:
    """Check a claim and tell its "candidates" once they are found, then its "verdict"."""
    found: asyncio.Queue[Case] = asyncio.Queue()
    checking = asyncio.create_task(batcher.check([claim], found.put_nowait))
    first = asyncio.create_task(found.get())
    try:
        await asyncio.wait({checking, first}, return_when=asyncio.FIRST_COMPLETED)
        if first.done():
            yield "candidates", shown(first.result())
        [case] = await checking
        yield "verdict", shown(case)
    finally:
        # A client that goes away is not worked for any longer.
        checking.cancel()
        first.cancel()


async def text_events(
    batcher: Batcher, sentences: dict[str, Any], claims: Iterable[Claim], shown: Shown
) -> AsyncGenerator[Event]:
    """Tell the "sentences" of a text, then check its claims one after the other.

    Together they would be checked a little faster, and all verdicts would come at the end.
    """
    yield "sentences", sentences
    for claim in claims:
        async with aclosing(check_events(batcher, claim, shown)) as events:
            async for event in events:
                yield event


async def _written(events: AsyncGenerator[Event], request_id: str) -> AsyncIterator[str]:
    async with aclosing(events):
        try:
            async for name, value in events:
                yield _event(name, value)
        except ClaimscopeError as error:
            status, detail, _ = answer_to(error)
            yield _event("problem", describe(status, detail, request_id))


def _event(name: str, value: dict[str, Any]) -> str:
    """Write an event; JSON puts no line break into the data."""
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=True)}\n\n"
