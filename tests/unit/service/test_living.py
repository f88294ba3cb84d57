from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimscope.case_json import to_dict
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.service import recheck as living
from claimscope.service.jobs.database import Ledger
from claimscope.service.jobs.jobs import Jobs, Kind
from claimscope.service.jobs.saved import Verdicts
from claimscope.types import Candidate, Case, Claim, Document, Provenance, Rule, Verdict


@pytest.fixture
def ledger(tmp_path: Path) -> Any:
    with LocalLibrary(tmp_path / "library", create=True):
        made = Ledger(tmp_path / "library")
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


def test_a_check_that_comes_to_the_same_confirms_the_last(ledger: Ledger) -> None:
    verdicts = Verdicts(ledger)
    first = living.keep(verdicts, _case("1", "SUPPORTED", ["a"]))
    again = living.keep(verdicts, _case("2", "SUPPORTED", ["a"]))
    assert again.number == first.number
    assert again.holds_at("1")
    assert again.holds_at("2")
    assert first.saved_at == again.saved_at


def test_other_evidence_or_another_label_is_a_new_version(ledger: Ledger) -> None:
    verdicts = Verdicts(ledger)
    first = living.keep(verdicts, _case("1", "SUPPORTED", ["a"]))
    second = living.keep(verdicts, _case("2", "SUPPORTED", ["a", "b"]))
    third = living.keep(verdicts, _case("3", "NOT_ENOUGH_INFO", []))
    assert (first.number, second.number, third.number) == (1, 2, 3)
    grown, lost = living.change(first, second), living.change(second, third)
    assert (grown.turns, grown.joined, grown.left) == (False, ("b",), ())
    assert (lost.turns, lost.joined, lost.left) == (True, (), ("a", "b"))


def test_a_verdict_saved_by_an_older_version_is_still_read(ledger: Ledger) -> None:
    verdicts = Verdicts(ledger)
    saved = verdicts.save(_case("1", "SUPPORTED", ["a"]))
    record = to_dict(saved.case)
    for name in ("sample_size", "population"):
        del record["candidates"][0]["metadata"][name]
    with ledger.transaction() as connection:
        connection.execute("UPDATE verdicts SET result = ?", (json.dumps(record),))
    assert verdicts.get(saved.number) == saved
    assert living.keep(verdicts, _case("2", "SUPPORTED", ["a"])).number == saved.number


def test_presets_are_compared_with_their_own(ledger: Ledger) -> None:
    verdicts = Verdicts(ledger)
    first = living.keep(verdicts, _case("1", "SUPPORTED", ["a"], "p"))
    other = living.keep(verdicts, _case("1", "SUPPORTED", ["a"], "q"))
    assert other.number != first.number
    assert living.change(first, other).is_other_preset
    assert living.keep(verdicts, _case("2", "SUPPORTED", ["a"], "p")).number == first.number


def test_saved_claims_are_ordered_once_by_the_preset_they_had(ledger: Ledger) -> None:
    verdicts, jobs = Verdicts(ledger), Jobs(ledger)
    assert living.order(jobs, verdicts, ["p"], "1", "k") == []
    for claim, preset in (("One.", "p"), ("Two.", "q"), ("Three.", "gone"), ("One.", "q")):
        verdicts.save(_case("1", "SUPPORTED", ["a"], preset, claim))
    ordered = {
        job.input["preset"]: job for job in living.order(jobs, verdicts, ["p", "q"], "1", "k")
    }
    claims = {name: {c.text for _, c in jobs.waiting(job, 9)} for name, job in ordered.items()}
    assert claims == {"p": {"Three."}, "q": {"One.", "Two."}}
    again = living.order(jobs, verdicts, ["p", "q"], "1", "k")
    assert {job.id for job in again} == {job.id for job in ordered.values()}
    assert len(jobs.latest(None, 9, Kind.RECHECK)) == 2


def test_only_claims_without_a_verdict_on_this_library_are_stale(ledger: Ledger) -> None:
    verdicts, jobs = Verdicts(ledger), Jobs(ledger)
    for claim in ("One.", "Two.", "Three."):
        living.keep(verdicts, _case("1", "SUPPORTED", ["a"], claim=claim))
    living.keep(verdicts, _case("2", "SUPPORTED", ["a"], claim="One."))
    living.keep(verdicts, _case("2", "SUPPORTED", ["a", "b"], claim="Two."))
    [job] = living.order_stale(jobs, verdicts, ["p"], "2")
    assert [claim.text for _, claim in jobs.waiting(job, 9)] == ["Three."]
    living.keep(verdicts, _case("2", "SUPPORTED", ["a"], claim="Three."))
    assert living.order_stale(jobs, verdicts, ["p"], "2") == []
    assert len(jobs.latest(None, 9, Kind.RECHECK)) == 1
