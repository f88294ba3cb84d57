"""Hostile files sent to a running service: each is a failure of its own, and nothing stops."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from claimscope.ingest import supervisor
from claimscope.ingest.limits import ReadingLimits
from claimscope.service.jobs import imports, worker
from claimscope.service.jobs.queue import Job, Kind, Order
from claimscope.service.settings import Settings
from claimscope.service.state import Service, open_service
from tests import hostile

from .running import Running, make_library, running, until

RIS = b"TY  - JOUR\nTI  - Ginger against nausea\nER  - \n"


@pytest.fixture(autouse=True)
def _misbehaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile.install(tmp_path / "site", monkeypatch)


def send(service: Running, *titles: str) -> str:
    files = [
        ("files", ("bad.jsonl", hostile.lines(*titles).encode())),
        ("files", ("good.ris", RIS)),
    ]
    return str(service.http.post("/imports", files=files).json()["id"])


def job(service: Running, name: str) -> dict[str, object]:
    return dict(service.http.get(f"/jobs/{name}").json())


@pytest.mark.parametrize("what", ["match", "exit", "grow"])
def test_a_hostile_file_is_named_and_the_others_are_added(
    fresh: Running, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    limits = ReadingLimits(record_seconds=1.0, wall_factor=60.0, memory_bytes=600_000_000)
    monkeypatch.setattr(supervisor, "LIMITS", limits)
    name = send(fresh, "Before", what, "After")
    until(lambda: job(fresh, name)["state"] == "done", 60)
    result = job(fresh, name)["result"]
    assert (result["added"], [each["file"] for each in result["failed"]]) == (3, ["bad.jsonl"])  # type: ignore[index]


@pytest.mark.parametrize("what", ["sleep", "match"])
def test_a_cancelled_import_whose_reader_hangs_ends_soon(fresh: Running, what: str) -> None:
    name = send(fresh, "Before", what)
    until(lambda: job(fresh, name)["finished"] == 2, 30)
    fresh.http.post(f"/jobs/{name}/cancel")
    until(lambda: not fresh.service.worker.is_importing, 5)
    assert job(fresh, name)["state"] == "cancelled"


def test_a_service_that_is_asked_to_stop_ends_an_import_whose_reader_hangs(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    with running(Settings(folder)) as started:
        name = send(started, "sleep")
        until(lambda: job(started, name)["finished"] == 1, 30)
        begun = time.monotonic()
    assert time.monotonic() - begun < 5
    with open_service(Settings(folder)) as service:
        left = service.jobs.get(name)
        assert left is not None
        # It was left in good order, so it will be begun again however often that happens.
        assert (left.state, left.starts) == ("running", 0)


def accepted(service: Service) -> Job:
    from io import BytesIO

    from starlette.datastructures import UploadFile

    folder = Path(service.library.location)
    kept = imports.keep(folder, [UploadFile(BytesIO(RIS), filename="refs.ris")])
    given = {"folder": kept.folder, "files": list(kept.files)}
    return service.jobs.accept_import(Order(Kind.IMPORT, 1, given))


@pytest.mark.parametrize(("kills", "state"), [(1, "done"), (2, "failed")])
def test_a_job_that_was_killed_twice_is_not_started_again(
    tmp_path: Path, kills: int, state: str
) -> None:
    settings = Settings(make_library(tmp_path / "library"))
    with open_service(settings) as service:
        order = accepted(service)
        for _ in range(kills):
            # A service that is killed now leaves exactly this behind.
            assert service.jobs.begin(order)
    with running(settings) as started:
        until(lambda: job(started, order.id)["state"] not in {"queued", "running"})
        ended = job(started, order.id)
    assert ended["state"] == state
    assert ("killed twice" in str(ended["error"])) == (state == "failed")


def test_the_service_says_that_an_import_hangs(
    fresh: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "_HANGS_AFTER", 5.0)
    name = send(fresh, "sleep")
    until(lambda: job(fresh, name)["finished"] == 1, 30)
    # A slow reader shows signs of life; one that is stuck in the library does not.
    assert fresh.http.get("/ready").status_code == 200
    monkeypatch.setattr(worker, "_HANGS_AFTER", -1.0)
    answer = fresh.http.get("/ready")
    assert answer.status_code == 503
    assert "no sign of life" in answer.json()["detail"]
    fresh.http.post(f"/jobs/{name}/cancel")
    until(lambda: not fresh.service.worker.is_importing, 5)
    assert fresh.http.get("/ready").status_code == 200
