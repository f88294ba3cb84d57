"""The service killed while clients are busy with it: what it accepted is done, and done once."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

import httpx

from claimscope.service.client import Client, ClientError
from tests.e2e.test_service import Started, started
from tests.unit.service.running import make_library, until

CLIENTS = 8
KILLS = 2
CLAIMS = 20
"""In every job."""


@dataclass
class Load:
    """Clients that send jobs and files under keys of their own, until the service is gone."""

    accepted: dict[str, str] = field(default_factory=dict)
    """By key, the job that was answered with 202."""
    unanswered: set[str] = field(default_factory=set)
    """Keys of requests of which nobody knows whether they arrived."""

    def run(self, service: Started, turn: int) -> list[threading.Thread]:
        clients = [(f"{turn}.{number}", number == 0) for number in range(CLIENTS)]
        threads = [threading.Thread(target=self._work, args=(service, *one)) for one in clients]
        for thread in threads:
            thread.start()
        return threads

    def _work(self, service: Started, name: str, sends_files: bool) -> None:
        send = send_file if sends_files else send_claims
        for number in range(1_000):
            key = f"{name}.{number}"
            try:
                self.accepted[key] = send(service.client, key)
                service.client.check(_claim(key, 0))
            except (ClientError, httpx.HTTPError):
                if key not in self.accepted:
                    self.unanswered.add(key)
                return


def send_claims(client: Client, key: str) -> str:
    return client.submit([_claim(key, number) for number in range(CLAIMS)], key).id


def send_file(client: Client, key: str) -> str:
    record = f"TY  - JOUR\nTI  - Paper {key}\nAB  - Text.\nDO  - 10.1000/{key}\nER  - \n"
    files = {"files": ("refs.ris", record.encode())}
    answer = httpx.post(f"{client._root}/imports", files=files, headers={"Idempotency-Key": key})
    answer.raise_for_status()
    return str(answer.json()["id"])


def _claim(key: str, number: int) -> str:
    return f"Aspirin lowers the risk of heart attack in {number} adults of group {key}."


def test_every_job_accepted_under_load_is_done_once_after_kills(tmp_path: Path) -> None:
    folder, load = make_library(tmp_path / "library"), Load()
    kept: dict[tuple[int, int], int] = {}
    for turn in range(KILLS):
        with started(folder) as service:
            threads = load.run(service, turn)
            until(lambda: len(_results(folder)) > len(kept) + 2 * CLAIMS, 60)  # noqa: B023
            os.kill(service.process.pid, signal.SIGKILL)
            for thread in threads:
                thread.join()
        assert kept.items() <= _results(folder).items()
        kept = _results(folder)
        assert _count(folder, "state IN ('queued', 'running')")
    assert load.unanswered
    with started(folder) as service:
        for key in sorted(load.unanswered | load.accepted.keys()):
            sends_files = key.split(".")[1] == "0"
            again = (send_file if sends_files else send_claims)(service.client, key)
            # Repeated, a request names the job that it made the first time.
            assert load.accepted.setdefault(key, again) == again
        for job_id in load.accepted.values():
            assert service.client.wait(job_id, 60, pause=0.05).state == "done"
        lines = {key: _lines(service.client, job) for key, job in load.accepted.items()}
    _check(folder, load, lines)
    assert kept.items() <= _results(folder).items()


def _lines(client: Client, job_id: str) -> list[tuple[int, str]]:
    return [(item["line"], item["result"]["claim"]["text"]) for item in client.results(job_id)]


def _check(folder: str, load: Load, lines: dict[str, list[tuple[int, str]]]) -> None:
    files = {key for key in load.accepted if key.split(".")[1] == "0"}
    for key in load.accepted.keys() - files:
        assert lines[key] == [(number + 1, _claim(key, number)) for number in range(CLAIMS)]
    with closing(sqlite3.connect(Path(folder) / "library.sqlite")) as connection:
        jobs = {name for (name,) in connection.execute("SELECT id FROM jobs WHERE state = 'done'")}
        papers = [doi for (doi,) in connection.execute("SELECT doi FROM documents WHERE doi != ''")]
    assert jobs == set(load.accepted.values())
    assert _count(folder, "TRUE") == len(load.accepted)
    assert sorted(papers) == sorted(f"10.1000/{key}" for key in files)
    assert not list((Path(folder) / "uploads").iterdir())


def _results(folder: str) -> dict[tuple[int, int], int]:
    """Give for each finished line of each job the number of the entry that finished it."""
    with closing(sqlite3.connect(Path(folder) / "library.sqlite")) as connection:
        rows = connection.execute("SELECT job, line, number FROM job_results").fetchall()
    return {(job, line): number for job, line, number in rows}


def _count(folder: str, condition: str) -> int:
    """Count the jobs for which a condition holds."""
    with closing(sqlite3.connect(Path(folder) / "library.sqlite")) as connection:
        [(count,)] = connection.execute(f"SELECT COUNT(*) FROM jobs WHERE {condition}").fetchall()
    return int(count)
