"""The service as a user starts it: killed in the middle of a job, it loses and repeats nothing."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

import httpx

from claimscope.service.client import Client
from tests.unit.service.running import make_library, until

CLAIMS = [f"Aspirin lowers the risk of heart attack in {number} adults." for number in range(1500)]


@dataclass(frozen=True)
class Started:
    process: subprocess.Popen[str]
    client: Client
    log: Path


@contextmanager
def started(folder: str, *more: str) -> Iterator[Started]:
    serve = [sys.executable, "-m", "claimscope", "serve", "--library", folder, "--port", "0"]
    # Jobs are what is tested here, and a verifier would only make their many claims slow.
    words = [*serve, "--preset", "lexical-baseline", *more]
    log = Path(folder).parent / "log"
    with (
        log.open("a") as errors,
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            told = process.stdout.readline()
            found = re.search(r"http://\S+", told)
            assert found, log.read_text()
            yield Started(process, Client(found.group().replace("0.0.0.0", "127.0.0.1")), log)
        finally:
            process.kill()


def _finished(folder: str) -> dict[int, int]:
    """Give for each finished line the number of the entry that finished it."""
    with closing(sqlite3.connect(Path(folder) / "library.sqlite")) as connection:
        return dict(connection.execute("SELECT line, number FROM job_results").fetchall())


def test_a_killed_service_finishes_every_claim_once_after_a_restart(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    with started(folder) as first:
        job = first.client.submit(CLAIMS, key="once")
        until(lambda: first.client.job(job.id).finished > 50)
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
    before = _finished(folder)
    assert 50 < len(before) < len(CLAIMS)
    with started(folder) as second:
        assert second.client.submit(CLAIMS, key="once").id == job.id
        assert second.client.wait(job.id, 60, pause=0.1).state == "done"
        lines = [item["line"] for item in second.client.results(job.id)]
    assert lines == list(range(1, len(CLAIMS) + 1))
    after = _finished(folder)
    assert before.items() <= after.items()


def test_a_service_that_is_asked_to_stop_stops_soon_and_goes_on_later(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    with started(folder) as first:
        job = first.client.submit(CLAIMS)
        first.process.send_signal(signal.SIGTERM)
        first.process.wait(timeout=15)
    with started(folder) as second:
        assert second.client.job(job.id).is_open
        assert second.client.cancel(job.id).state == "cancelled"


def test_a_service_for_other_computers_needs_a_token_and_never_logs_it(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    python = [sys.executable, "-m", "claimscope", "serve"]
    refused = subprocess.run(
        [*python, "--host", "0.0.0.0", "--port", "0", "--library", folder],
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 2
    assert "serve token create" in refused.stderr
    assert "Traceback" not in refused.stderr
    made = subprocess.run(
        [*python, "token", "create", "newsroom", "--library", folder],
        capture_output=True,
        text=True,
        check=True,
    )
    token = made.stdout.strip()
    with started(folder, "--host", "0.0.0.0") as service:
        address = service.client._root.removesuffix("/api/v1")
        assert Client(address, token).check("Aspirin thins blood.")["candidates"]
        with pytest.raises(Exception, match="access token is required"):
            service.client.check("Aspirin thins blood.")
        for place in (f"ready?token={token}", f"documents/{token}", f"{token}/x"):
            httpx.get(f"{address}/api/v1/{place}", headers={"X-Request-ID": token[-64:]})
        until(lambda: "POST /api/v1/check 401" in service.log.read_text())
        until(lambda: "/api/v1/[token]/x 404" in service.log.read_text())
        assert token[-64:] not in service.log.read_text()
