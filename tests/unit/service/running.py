"""Runs the real service on a free port of this computer, inside the test's own process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import httpx
import uvicorn

from claimscope.library.local import LocalLibrary
from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.service.server import configure, listen
from claimscope.service.settings import Settings
from claimscope.service.state import Service, open_service
from claimscope.types import Case, Document
from tests.conftest import TEXTS, document

ASPIRIN = "Aspirin lowers the risk of heart attack."


@dataclass(frozen=True)
class Running:
    service: Service
    address: str
    http: httpx.Client
    server: uvicorn.Server


@contextmanager
def running(settings: Settings) -> Iterator[Running]:
    with open_service(settings) as service, listen("127.0.0.1", 0) as listening:
        server = uvicorn.Server(configure(service))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            with httpx.Client(base_url=f"{address}/api/v1", timeout=20) as http:
                yield Running(service, address, http, server)
        finally:
            server.should_exit = True
            thread.join()


def make_library(folder: Path, *more: Document) -> str:
    with LocalLibrary(folder, create=True) as library:
        library.add([*(document(name) for name in TEXTS), *more])
    return str(folder)


def until(condition: object, seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.01)


@dataclass(frozen=True)
class Gate(Composable):
    """A stage that holds every case until it is opened, as a slow model would."""

    opened: threading.Event = field(default_factory=threading.Event, repr=False)

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "gate"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def run(self, cases: Sequence[Case]) -> list[Case]:
        assert self.opened.wait(20)
        return list(cases)


@dataclass(frozen=True)
class Broken(Composable):
    """A stage that fails as no stage should."""

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "broken"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def run(self, cases: Sequence[Case]) -> list[Case]:
        raise ZeroDivisionError


@contextmanager
def gated(service: Service) -> Iterator[Gate]:
    """Put a gate after the retriever of a service."""
    checker, gate = service.batcher.checker, Gate()
    before = checker.pipeline
    # A gate says nothing of how long a claim takes.
    service.batcher._claim_seconds = 0.0
    checker.pipeline = Pipeline((before.stages[0], gate, *before.stages[1:]))
    try:
        yield gate
    finally:
        gate.opened.set()
        checker.pipeline = before
