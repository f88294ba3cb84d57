"""Searches go before checks, work of clients who left is dropped, and shutdown is short."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar

import httpx
import pytest

from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.stage import Composable, Kind, Part
from claimscope.service.jobs.queue import State
from claimscope.service.lanes import ModelThread
from claimscope.service.settings import Limits, Settings
from claimscope.service.state import open_service
from claimscope.types import Case

from .running import ASPIRIN, Running, gated, make_library, running, until

CHECK = {"claim": ASPIRIN}
TEXT = f"{ASPIRIN} Who would have thought so?"
AUDIT = {"text": f"{ASPIRIN} [@a]", "references": "@article{a, title={Aspirin}}", "form": "md"}
Ask = Callable[[httpx.Client, float], httpx.Response]

API: dict[str, Ask] = {
    "check": lambda http, wait: http.post("/api/v1/check", json=CHECK, timeout=wait),
    "many": lambda http, wait: http.post(
        "/api/v1/check/many", json={"claims": [ASPIRIN]}, timeout=wait
    ),
    "stream": lambda http, wait: http.post("/api/v1/check/stream", json=CHECK, timeout=wait),
    "text": lambda http, wait: http.post(
        "/api/v1/check/text/stream", json={"text": TEXT}, timeout=wait
    ),
    "save": lambda http, wait: http.post("/api/v1/verdicts", json=CHECK, timeout=wait),
    "why": lambda http, wait: http.get(
        "/api/v1/why", params=CHECK | {"document": "aspirin"}, timeout=wait
    ),
}
PAGES: dict[str, Ask] = {
    "page": lambda http, wait: http.get("/", params=CHECK, timeout=wait),
    "page's stream": lambda http, wait: http.get("/stream", params=CHECK, timeout=wait),
    "download": lambda http, wait: http.get("/download/csv", params=CHECK, timeout=wait),
    "page why": lambda http, wait: http.get(
        "/why", params=CHECK | {"paper": "aspirin"}, timeout=wait
    ),
    "text page": lambda http, wait: _post(http, "/text", {"text": TEXT}, wait),
    "text page's stream": lambda http, wait: _post(http, "/text/stream", {"text": TEXT}, wait),
    "audit page": lambda http, wait: _post(http, "/audit", AUDIT, wait),
    "history": lambda http, wait: _post(http, "/history", CHECK, wait),
}


def _post(http: httpx.Client, path: str, data: dict[str, str], wait: float) -> httpx.Response:
    found = http.get("/text").text.partition('name="csrf" value="')[2][:64]
    return http.post(path, data=data | {"csrf": found}, timeout=wait)


@pytest.fixture
def http(fresh: Running) -> Iterator[httpx.Client]:
    headers = {"Accept": "text/html"}
    with httpx.Client(base_url=fresh.address, headers=headers, timeout=20) as client:
        yield client


def losses(started: Running) -> dict[str, float]:
    lines = started.http.get("/metrics").text.splitlines()
    pairs = [line.split(" ") for line in lines if not line.startswith("#")]
    return {name.removeprefix("claimscope_"): float(value) for name, value in pairs}


@pytest.mark.parametrize("asks", [API, PAGES], ids=["api", "pages"])
def test_checks_whose_clients_have_left_are_not_computed(
    fresh: Running, http: httpx.Client, asks: dict[str, Ask]
) -> None:
    batcher = fresh.service.batcher
    with gated(fresh.service) as gate, ThreadPoolExecutor(1) as other:
        first = other.submit(lambda: fresh.http.post("/check", json=CHECK))
        until(lambda: batcher.waiting == 1)
        for name, ask in asks.items():
            with pytest.raises(httpx.ReadTimeout):
                raise AssertionError(f"{name}: {ask(http, 0.5).status_code}")
        time.sleep(1)  # A busy machine may take a request only after its client has left.
        until(lambda: batcher.waiting == 1)
        gate.opened.set()
        assert first.result().status_code == 200
    found = losses(fresh)
    assert found["batch_claims_sum"] == 1
    direct = {"why", "page why", "audit page"}  # These wait for the thread, not in a batch.
    assert found["claims_dropped_total"] == len(asks.keys() - direct)


def test_a_full_queue_is_refused_with_the_time_to_wait(fresh: Running, http: httpx.Client) -> None:
    batcher = fresh.service.batcher
    batcher._waiting, batcher._claim_seconds = 8, 5.0
    for name, ask in (API | PAGES).items():
        refused = ask(http, 20.0)
        assert (refused.status_code, refused.headers.get("retry-after")) == (503, "40"), name
        assert "Too many claims are waiting" in refused.text
    assert losses(fresh)["claims_refused_total"] == len(API | PAGES)


def test_a_slow_batch_is_noticed_before_it_ends(fresh: Running) -> None:
    with ThreadPoolExecutor(1) as other, gated(fresh.service):
        other.submit(lambda: fresh.http.post("/check", json=CHECK))
        until(lambda: fresh.service.batcher._began is not None)
        fresh.service.batcher._began = time.monotonic() - 11
        assert fresh.http.post("/check", json=CHECK).status_code == 503


def test_searches_do_not_wait_for_checks(fresh: Running, http: httpx.Client) -> None:
    with ThreadPoolExecutor(40) as others, gated(fresh.service):
        for _ in range(40):
            others.submit(lambda: fresh.http.post("/check", json=CHECK))
        until(lambda: fresh.service.batcher.waiting == 40)
        for path in ("/api/v1/search?q=aspirin", "/library?q=aspirin"):
            assert http.get(path, timeout=5).status_code == 200


def test_too_many_searches_are_refused(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_library(tmp_path_factory.mktemp("searches") / "library")
    limits = Limits(search_threads=1, waiting_searches=3)
    with running(Settings(folder, limits=limits)) as started, ThreadPoolExecutor(3) as others:
        opened, library = threading.Event(), started.service.library
        search = library.search

        def slow(*given: Any, **more: Any) -> Any:
            assert opened.wait(20)
            return search(*given, **more)

        monkeypatch.setattr(library, "search", slow)
        words = {"q": "aspirin"}
        waiting = [others.submit(started.http.get, "/search", params=words) for _ in range(3)]
        until(lambda: started.service.searches.waiting == 3)
        refused = started.http.get("/search", params=words)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        opened.set()
        assert [each.result().status_code for each in waiting] == [200, 200, 200]
        assert losses(started)["searches_refused_total"] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives threads a priority")
def test_the_model_thread_lets_others_go_before() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    assert ModelThread().threads.submit(priority).result() == min(19, priority() + 5)


@dataclass(frozen=True)
class Slow(Composable):
    """A model that reads a text every tenth of a second."""

    models: ModelThread
    texts: int

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "slow"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def run(self, cases: Sequence[Case]) -> list[Case]:
        for done in range(self.texts):
            time.sleep(0.1)
            self.models.on_progress(done, self.texts)
        return list(cases)


def slow(started: Running, texts: int = 600) -> None:
    """Let each batch take a tenth of a second for every text."""
    batcher, models = started.service.batcher, started.service.presets.thread
    batcher._claim_seconds = 0.0
    retrieve = batcher.checker.pipeline.stages[0]
    batcher.checker.pipeline = Pipeline((retrieve, Slow(models, texts)))


def test_a_cancelled_job_ends_in_the_middle_of_a_batch(fresh: Running) -> None:
    slow(fresh)
    job = fresh.http.post("/jobs", json={"claims": [ASPIRIN] * 50}).json()["id"]
    until(lambda: fresh.service.batcher._began is not None)
    fresh.http.post(f"/jobs/{job}/cancel")
    until(lambda: fresh.service.batcher._began is None, 5)
    assert fresh.http.get(f"/jobs/{job}").json()["state"] == "cancelled"
    assert losses(fresh)["claims_dropped_total"] == 16


def test_a_batch_goes_on_while_one_of_its_clients_waits(fresh: Running) -> None:
    slow(fresh, 20)
    with ThreadPoolExecutor(3) as others:
        first = others.submit(fresh.http.post, "/check", json=CHECK)
        until(lambda: fresh.service.batcher._began is not None)
        leaving = others.submit(fresh.http.post, "/check", json=CHECK, timeout=3.0)
        staying = others.submit(fresh.http.post, "/check", json=CHECK)
        assert leaving.exception() is not None
        assert [first.result().status_code, staying.result().status_code] == [200, 200]


def test_the_service_stops_within_seconds_whatever_is_waiting(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = make_library(tmp_path_factory.mktemp("ending") / "library")
    statuses: list[int] = []

    def check(address: str) -> None:
        try:
            # Reading the certificates of authorities would take longer than all else.
            asked = httpx.post(f"{address}/api/v1/check", json=CHECK, verify=False)
            statuses.append(asked.status_code)
        except httpx.HTTPError:
            statuses.append(0)

    with running(Settings(folder)) as started, ThreadPoolExecutor(30) as others:
        slow(started)
        job = started.http.post("/jobs", json={"claims": [ASPIRIN] * 50}).json()["id"]
        until(lambda: started.service.batcher.waiting == 16)
        for _ in range(30):
            others.submit(check, started.address)
        until(lambda: started.service.batcher.waiting == 46, 30)
        begun = time.monotonic()
        started.server.should_exit = True
        until(lambda: started.service.searches._threads._shutdown)
        taken = time.monotonic() - begun
    assert taken < 5
    assert 200 not in statuses
    with open_service(Settings(folder)) as again:
        kept = again.jobs.get(job)
        assert kept is not None
        assert (kept.state, kept.starts) == (State.RUNNING, 0), "the next service continues it"
