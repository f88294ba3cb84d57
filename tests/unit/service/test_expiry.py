"""Old jobs, keys and uploads go; young and unfinished ones stay."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.datastructures import UploadFile

from claimscope.service.jobs import imports
from claimscope.service.jobs.expiry import DAY
from claimscope.service.jobs.queue import Job, Kind, Order
from claimscope.service.settings import Settings
from claimscope.service.state import Service, open_service
from claimscope.types import Claim

from .running import make_library, running, until


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service whose workers do not run."""
    with open_service(Settings(make_library(tmp_path / "library"))) as opened:
        yield opened


def _done(service: Service, key: str | None = None) -> Job:
    job = _waiting(service, key)
    service.jobs.begin(job)
    service.jobs.finish(job, [(1, "{}")])
    service.jobs.end(job)
    return job


def _waiting(service: Service, key: str | None = None) -> Job:
    return service.jobs.accept_claims(Order(Kind.CHECK, 1, {}, key), [Claim("Tea.")])


def test_jobs_go_thirty_days_after_their_end_with_all_that_is_theirs(service: Service) -> None:
    done, cancelled, waiting = _done(service, "k"), _waiting(service), _waiting(service)
    service.jobs.cancel(cancelled)
    assert service.cleaner.clean(time.time() + 29 * DAY) == 0
    assert service.cleaner.clean(time.time() + 31 * DAY) == 2
    assert service.jobs.get(done.id) is None
    assert service.jobs.get(cancelled.id) is None
    assert service.jobs.get(waiting.id) == waiting
    for table in ("jobs", "job_claims", "job_results", "idempotency_keys"):
        [(count,)] = service.database.rows(f"SELECT COUNT(*) FROM {table}")
        assert count == (1 if table in {"jobs", "job_claims"} else 0), table


def test_a_key_is_forgotten_before_its_job(service: Service) -> None:
    first = _done(service, "k")
    service.cleaner.clean(time.time() + 6 * DAY)
    assert _waiting(service, "k").id == first.id
    service.cleaner.clean(time.time() + 8 * DAY)
    assert _waiting(service, "k").id != first.id
    assert service.jobs.get(first.id) is not None


def test_a_key_that_outlives_its_job_does_not_name_it(tmp_path: Path) -> None:
    settings = Settings(make_library(tmp_path / "library"), job_days=1, key_days=7)
    with open_service(settings) as service:
        first = _done(service, "k")
        service.cleaner.clean(time.time() + 2 * DAY)
        assert _waiting(service, "k").id != first.id


def test_strays_go_when_they_are_a_day_old_and_wanted_uploads_never(service: Service) -> None:
    folder = service.database.folder
    kept = [
        imports.keep(folder, [UploadFile(io.BytesIO(b"x"), filename="refs.ris")]).folder
        for _ in range(3)
    ]
    given = {"folder": kept[0], "files": [["0.ris", "refs.ris"]]}
    service.jobs.accept_import(Order(Kind.IMPORT, 1, given))
    old = time.time() - 2 * DAY
    for name in kept[:2]:
        os.utime(folder / imports.FOLDER_NAME / name, (old, old))
    service.cleaner.clean(time.time())
    left = {each.name for each in (folder / imports.FOLDER_NAME).iterdir()}
    assert left == {kept[0], kept[2]}


def test_a_service_cleans_when_it_starts(tmp_path: Path) -> None:
    settings = Settings(make_library(tmp_path / "library"))
    with open_service(settings) as service:
        old, young = _done(service), _done(service)
        with service.database.transaction() as connection:
            connection.execute("UPDATE jobs SET ended_at = 1 WHERE id = ?", (old.id,))
    with running(settings) as started:
        until(lambda: started.service.jobs.get(old.id) is None)
        assert started.service.jobs.get(young.id) is not None
