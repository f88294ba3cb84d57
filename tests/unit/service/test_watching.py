from __future__ import annotations

from claimscope.library.local import LocalLibrary
from claimscope.library.lock import WriterLock
from claimscope.service.jobs.jobs import Kind, State
from claimscope.types import Document

from .running import ASPIRIN, Running, gated, until


def _save(fresh: Running) -> None:
    fresh.http.post("/verdicts", json={"claim": ASPIRIN}).raise_for_status()


def _change(fresh: Running, name: str) -> None:
    """Add a paper as another process does, behind the service's back."""
    with LocalLibrary(fresh.service.library._folder) as other:
        other.add([Document(name, "Aspirin", "")])


def test_a_recheck_that_was_cancelled_is_not_ordered_again(fresh: Running) -> None:
    jobs = fresh.service.jobs
    _save(fresh)
    with gated(fresh.service):
        _change(fresh, "one")
        until(lambda: jobs.latest(None, 9, Kind.RECHECK))
        jobs.cancel(jobs.latest(None, 9, Kind.RECHECK)[0])
        # Another watcher, as after a restart, has seen nothing settled yet.
        fresh.service.watcher._settled = None
        assert fresh.service.watcher.look() == []
    _change(fresh, "two")
    until(lambda: len(jobs.latest(None, 9, Kind.RECHECK)) == 2)
    until(lambda: jobs.latest(None, 9, Kind.RECHECK)[0].state is State.DONE)


def test_the_recheck_waits_until_the_writer_is_done(fresh: Running) -> None:
    _save(fresh)
    library = fresh.service.library
    assert not library.is_being_written
    _change(fresh, "one")
    lock = WriterLock(library._lock.path)
    lock.acquire(5)
    try:
        assert library.is_being_written
        fresh.service.watcher._settled = None
        assert fresh.service.watcher.look() == []
    finally:
        lock.release()
    until(lambda: fresh.service.jobs.latest(None, 9, Kind.RECHECK))
