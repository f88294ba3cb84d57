"""Starts the server as users do, and connects the SDK's own client to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

Ask = Callable[[Callable[[Client], Awaitable[Any]]], Any]
_COMMAND = ["-m", "claimscope", "mcp", "--library"]


@dataclass(frozen=True)
class Server:
    """A library, and the address and token of a server over HTTP that has it."""

    library: str
    address: str
    token: str


@contextmanager
def serving(library: str) -> Iterator[Server]:
    token = subprocess.run(
        [sys.executable, "-m", "claimscope", "serve", "token", "create", "a", "-l", library],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    words = [sys.executable, *_COMMAND, library, "--http", "--port", "0"]
    with (
        Path(library).with_suffix(".log").open("w") as log,
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, Path(log.name).read_text()
            yield Server(library, found.group(), token)
        finally:
            process.terminate()


@asynccontextmanager
async def over_stdio(server: Server) -> AsyncIterator[Client]:
    environment = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    start = StdioServerParameters(
        command=sys.executable, args=[*_COMMAND, server.library], env=environment
    )
    async with Client(start) as client:
        yield client


@asynccontextmanager
async def over_http(server: Server, token: str | None = None) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token or server.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(server.address, http_client=http)) as client,
    ):
        yield client


TRANSPORTS: dict[str, Callable[..., Any]] = {"stdio": over_stdio, "http": over_http}


@contextmanager
def connected(transport: str, server: Server) -> Iterator[Ask]:
    """Connect a client, and give what asks it: all tests of a transport share one process."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(TRANSPORTS[transport](server)) as client,
    ):
        yield lambda work: portal.call(work, client)


__all__ = ["TRANSPORTS", "Ask", "Server", "connected", "serving"]
