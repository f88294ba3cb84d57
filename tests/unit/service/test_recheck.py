from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimscope.case_json import to_dict
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.library.lock import WriterLock
from claimscope.service.jobs import recheck
from claimscope.service.jobs.database import Database
from claimscope.service.jobs.queue import Jobs, Kind, State
from claimscope.service.jobs.saved import Verdicts
from claimscope.types import Candidate, Case, Claim, Document, Provenance, Rule, Verdict

from .running import ASPIRIN, Running, gated, until


@pytest.fixture
def database(tmp_path: Path) -> Any:
    with LocalLibrary(tmp_path / "library", create=True):
        made = Database(tmp_path / "library")
        yield made
        made.close()


def _case(
    revision: str, label: str, supporting: list[str], preset: str = "p", claim: str = "Tea."
) -> Case:
    rule = Rule("any-evidence", "", "")
    return Case(
        Claim(claim),
        tuple(Candidate(Document(name, "")) for name in supporting),
        Verdict(Label.parse(label), None, tuple(supporting), (), rule),
        provenance=Provenance("0", preset, (), revision),
    )


def test_a_check_that_comes_to_the_same_confirms_the_last(database: Database) -> None:
    verdicts = Verdicts(database)
    first = recheck.keep(verdicts, _case("1", "SUPPORTED", ["a"]))
    again = recheck.keep(verdicts, _case("2", "SUPPORTED", ["a"]))
    assert again.number == first.number
    assert again.holds_at("1")
    assert again.holds_at("2")
    assert first.saved_at == again.saved_at


def test_other_evidence_or_another_label_is_a_new_version(database: Database) -> None:
    verdicts = Verdicts(database)
    first = recheck.keep(verdicts, _case("1", "SUPPORTED", ["a"]))
    second = recheck.keep(verdicts, _case("2", "SUPPORTED", ["a", "b"]))
    third = recheck.keep(verdicts, _case("3", "NOT_ENOUGH_INFO", []))
    assert (first.number, second.number, third.number) == (1, 2, 3)
    grown, lost = recheck.change(first, second), recheck.change(second, third)
    assert (grown.is_changed, grown.joined, grown.left) == (False, ("b",), ())
    assert (lost.is_changed, lost.joined, lost.left) == (True, (), ("a", "b"))


def test_a_verdict_saved_by_an_older_version_is_still_read(database: Database) -> None:
    verdicts = Verdicts(database)
    saved = verdicts.save(_case("1", "SUPPORTED", ["a"]))
    record = to_dict(saved.case)
    for name in ("sample_size", "population"):
        del record["candidates"][0]["metadata"][name]
    with database.transaction() as connection:
        connection.execute("UPDATE verdicts SET result = ?", (json.dumps(record),))
    assert verdicts.get(saved.number) == saved
    assert recheck.keep(verdicts, _case("2", "SUPPORTED", ["a"])).number == saved.number


def test_presets_are_compared_with_their_own(database: Database) -> None:
    verdicts = Verdicts(database)
    first = recheck.keep(verdicts, _case("1", "SUPPORTED", ["a"], "p"))
    other = recheck.keep(verdicts, _case("1", "SUPPORTED", ["a"], "q"))
    assert other.number != first.number
    assert recheck.change(first, other).is_other_preset
    assert recheck.keep(verdicts, _case("2", "SUPPORTED", ["a"], "p")).number == first.number


def test_saved_claims_are_ordered_once_by_the_preset_they_had(database: Database) -> None:
    verdicts, jobs = Verdicts(database), Jobs(database)
    assert recheck.order(jobs, verdicts, ["p"], "1", "k") == []
    for claim, preset in (("One.", "p"), ("Two.", "q"), ("Three.", "gone"), ("One.", "q")):
        verdicts.save(_case("1", "SUPPORTED", ["a"], preset, claim))
    ordered = {
        job.input["preset"]: job for job in recheck.order(jobs, verdicts, ["p", "q"], "1", "k")
    }
    claims = {name: {c.text for _, c in jobs.waiting(job, 9)} for name, job in ordered.items()}
    assert claims == {"p": {"Three."}, "q": {"One.", "Two."}}
    again = recheck.order(jobs, verdicts, ["p", "q"], "1", "k")
    assert {job.id for job in again} == {job.id for job in ordered.values()}
    assert len(jobs.latest(None, 9, Kind.RECHECK)) == 2


def test_only_claims_without_a_verdict_on_this_library_are_stale(database: Database) -> None:
    verdicts, jobs = Verdicts(database), Jobs(database)
    for claim in ("One.", "Two.", "Three."):
        recheck.keep(verdicts, _case("1", "SUPPORTED", ["a"], claim=claim))
    recheck.keep(verdicts, _case("2", "SUPPORTED", ["a"], claim="One."))
    recheck.keep(verdicts, _case("2", "SUPPORTED", ["a", "b"], claim="Two."))
    [job] = recheck.order_stale(jobs, verdicts, ["p"], "2")
    assert [claim.text for _, claim in jobs.waiting(job, 9)] == ["Three."]
    recheck.keep(verdicts, _case("2", "SUPPORTED", ["a"], claim="Three."))
    assert recheck.order_stale(jobs, verdicts, ["p"], "2") == []
    assert len(jobs.latest(None, 9, Kind.RECHECK)) == 1


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
