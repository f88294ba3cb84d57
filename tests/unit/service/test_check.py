from __future__ import annotations

import json
import threading

import httpx
import pytest

from claimscope.case_json import to_dict
from claimscope.checker import Checker
from claimscope.service.case_schemas import CaseModel
from claimscope.service.settings import Limits, Settings

from .running import ASPIRIN, Running, gated, make_library, running, until

COMPOUND = "Aspirin lowers the risk of heart attack, and vitamin D prevents falls."
PARTS = ["Aspirin lowers the risk of heart attack.", "Vitamin D prevents falls."]


def test_a_check_gives_what_the_python_api_gives(server: Running) -> None:
    answer = server.http.post("/check", json={"claim": ASPIRIN})
    assert answer.status_code == 200
    expected = to_dict(Checker(server.service.library).check(ASPIRIN))
    assert answer.json() == expected
    assert CaseModel.model_validate(expected)


def test_a_compound_claim_comes_with_its_parts(server: Running) -> None:
    answer = server.http.post("/check", json={"claim": COMPOUND}).json()
    assert answer == to_dict(Checker(server.service.library).check(COMPOUND))
    assert [part["claim"]["text"] for part in answer["parts"]] == PARTS
    assert answer["verdict"]["rule"]["name"] == "parts"
    assert "parts" not in server.http.post("/check", json={"claim": ASPIRIN}).json()


def test_claims_of_a_text_are_split_too(server: Running) -> None:
    text = f"Who would have thought so? {COMPOUND}"
    with server.http.stream("POST", "/check/text/stream", json={"text": text}) as answer:
        lines = [line for line in answer.iter_lines() if line]
    last = json.loads(lines[-1].removeprefix("data: "))
    assert [part["claim"]["text"] for part in last["parts"]] == PARTS
    assert last["claim"]["id"] == "1", "the whole keeps the place of its sentence"


def test_several_claims_come_back_in_order_with_their_ids(server: Running) -> None:
    claims = [{"claim": ASPIRIN, "id": "a"}, "Coffee delays sleep.", {"claim": "Tea.", "id": "c"}]
    answer = server.http.post("/check/many", json={"claims": claims})
    assert [item["claim"]["id"] for item in answer.json()["results"]] == ["a", "", "c"]


def test_more_claims_than_a_check_takes_are_sent_to_a_job(server: Running) -> None:
    answer = server.http.post("/check/many", json={"claims": ["Tea."] * 33})
    assert answer.status_code == 422
    assert "/api/v1/jobs" in answer.json()["detail"]


@pytest.mark.parametrize("claim", ["", "   ", "x" * 2_001, "a\x00b"])
def test_a_claim_that_cannot_be_checked_is_refused_in_a_sentence(
    server: Running, claim: str
) -> None:
    answer = server.http.post("/check", json={"claim": claim})
    assert answer.status_code == 422
    assert answer.json()["detail"].endswith((".", "'."))


def test_candidates_stream_before_the_verdict_is_there(fresh: Running) -> None:
    with (
        gated(fresh.service) as gate,
        fresh.http.stream("POST", "/check/stream", json={"claim": ASPIRIN}) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()
        assert next(lines) == "event: candidates"
        early = json.loads(next(lines).removeprefix("data: "))
        assert early["verdict"] is None
        assert early["candidates"][0]["id"].startswith("aspirin")
        gate.opened.set()
        rest = [line for line in lines if line]
    assert rest[0] == "event: verdict"
    expected = to_dict(Checker(fresh.service.library).check(ASPIRIN))["verdict"]
    assert json.loads(rest[1].removeprefix("data: "))["verdict"] == expected


def test_a_browsers_event_source_may_get(server: Running) -> None:
    text = server.http.get("/check/stream", params={"claim": ASPIRIN}).text
    assert text.count("event: ") == 2


def test_claims_that_wait_together_are_checked_together(fresh: Running) -> None:
    with gated(fresh.service) as gate:
        asking = [threading.Thread(target=_check, args=(fresh.address,)) for _ in range(6)]
        for thread in asking:
            thread.start()
        until(lambda: fresh.service.batcher.waiting == 6)
        gate.opened.set()
        for thread in asking:
            thread.join()
    count = fresh.http.get("/metrics").text.split("claimscope_batch_claims_count ")[1].split()[0]
    assert int(count) < 6


def test_too_many_claims_are_turned_away_and_the_accepted_are_answered(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = make_library(tmp_path_factory.mktemp("full") / "library")
    limits = Limits(waiting_claims=2)
    with running(Settings(folder, limits=limits)) as started, gated(started.service) as gate:
        statuses: list[int] = []
        asking = [
            threading.Thread(target=lambda: statuses.append(_check(started.address)))
            for _ in range(2)
        ]
        for thread in asking:
            thread.start()
        until(lambda: started.service.batcher.waiting == 2)
        refused = started.http.post("/check", json={"claim": ASPIRIN})
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) >= 1
        assert started.http.get("/health").status_code == 200
        gate.opened.set()
        for thread in asking:
            thread.join()
    assert statuses == [200, 200]


def _check(address: str) -> int:
    answer = httpx.post(f"{address}/api/v1/check", json={"claim": ASPIRIN}, timeout=20)
    return answer.status_code
