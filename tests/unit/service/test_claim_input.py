from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.case_json import to_dict
from claimscope.checker import Checker
from claimscope.claims.reading import Refusal
from claimscope.errors import ClaimscopeError
from claimscope.service.claim_input import LONGEST_TEXT, read_claims, read_text
from claimscope.service.settings import Limits, Settings
from claimscope.types import Claim

from .running import ASPIRIN, Running, gated, make_library, running, until

KINDS = ("text/csv", "application/json", "application/x-ndjson", "text/plain")
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(("id", "claim", "x")), inner),
    max_leaves=8,
)
COFFEE = "Coffee in the evening delays sleep."
TEXT = f"{ASPIRIN} Does it really help?\n{COFFEE}"
ADDRESS = "/check/text/stream"


@given(body=st.binary() | st.text().map(str.encode), kind=st.sampled_from(KINDS))
def test_any_body_is_read_or_refused_in_words(body: bytes, kind: str) -> None:
    _read_or_refuse(body, kind)


@given(claims=st.lists(ANY_JSON))
def test_any_json_is_read_line_for_line(claims: list[object]) -> None:
    body = json.dumps({"claims": claims}).encode()
    assert len(list(read_claims(body, "application/json"))) == len(claims)
    _read_or_refuse(b"\n".join(json.dumps(item).encode() for item in claims), "text/plain")


def _read_or_refuse(body: bytes, kind: str) -> None:
    try:
        items = list(read_claims(body, kind))
    except ClaimscopeError:
        return
    for item in items:
        if isinstance(item, Claim):
            # What the library's file cannot hold must not get as far as there.
            f"{item.id}{item.text}".encode()


def test_a_table_finds_its_columns_by_name() -> None:
    table = '\ufeffnote,ID,Text\nx,7,"Tea, hot."\ny,,Coffee.\nz,9\nw,8,Milk.,more,cells\n'.encode()
    first, second, third, fourth = read_claims(table, "text/csv")
    assert (first, second) == (Claim("Tea, hot.", "7"), Claim("Coffee.", "2"))
    assert isinstance(third, Refusal)
    assert fourth == Claim("Milk.", "8")


@pytest.mark.parametrize("table", [b"", b"a,b\n1,2\n", b"claim\n", b"claim\n\xff\n"])
def test_a_table_without_claims_is_refused(table: bytes) -> None:
    with pytest.raises(ClaimscopeError):
        list(read_claims(table, "text/csv"))


def test_an_id_that_is_no_text_is_made_one() -> None:
    [claim] = read_claims(b'{"id": "\\ud800", "claim": "Tea."}', "text/plain")
    assert claim == Claim("Tea.", "?")


def test_sentences_stream_at_once_and_each_claim_follows_with_its_place(fresh: Running) -> None:
    with (
        gated(fresh.service) as gate,
        fresh.http.stream("POST", ADDRESS, json={"text": TEXT}) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = _events(answer)
        name, told = next(events)
        assert name == "sentences"
        sentences = told["sentences"]
        assert [TEXT[item["start"] : item["end"]] for item in sentences] == [
            item["text"] for item in sentences
        ]
        assert [item["is_claim"] for item in sentences] == [True, False, True]
        assert sentences[1]["reason"] == "asks a question"
        name, early = next(events)
        assert (name, early["claim"]["id"], early["verdict"]) == ("candidates", "0", None)
        gate.opened.set()
        rest = list(events)
    assert [(name, case["claim"]["id"]) for name, case in rest] == [
        ("verdict", "0"),
        ("candidates", "2"),
        ("verdict", "2"),
    ]
    checker = Checker(fresh.service.library)
    for (_, case), claim in zip((rest[0], rest[2]), (ASPIRIN, COFFEE), strict=True):
        assert case["verdict"] == to_dict(checker.check(claim))["verdict"]


def test_claims_of_a_client_that_goes_away_are_not_checked(fresh: Running) -> None:
    batcher = fresh.service.batcher
    with gated(fresh.service) as gate:
        with fresh.http.stream("POST", ADDRESS, json={"text": TEXT}) as answer:
            events = _events(answer)
            assert [next(events)[0], next(events)[0]] == ["sentences", "candidates"]
            assert batcher.waiting == 1
        until(lambda: batcher.waiting == 0)
        gate.opened.set()
    fresh.http.post("/check", json={"claim": ASPIRIN})
    counted = fresh.http.get("/metrics").text.split("claimscope_batch_claims_count ")[1].split()[0]
    assert int(counted) == 2, "the claim at hand and the one asked for last"


def test_a_text_that_meets_a_full_queue_is_refused(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = make_library(tmp_path_factory.mktemp("full") / "library")
    settings = Settings(folder, limits=Limits(waiting_claims=1))
    with running(settings) as started, gated(started.service) as gate:
        other = started.http.stream("POST", "/check/stream", json={"claim": COFFEE})
        with other as waiting:
            until(lambda: started.service.batcher.waiting == 1)
            with httpx.Client(base_url=started.http.base_url) as http:
                refused = http.post(ADDRESS, json={"text": TEXT})
            gate.opened.set()
            waiting.read()
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) >= 1


@pytest.mark.parametrize("text", ["", " \n", "x" * (LONGEST_TEXT + 1)])
def test_what_is_no_text_is_refused_in_a_sentence(server: Running, text: str) -> None:
    answer = server.http.post(ADDRESS, json={"text": text})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"].endswith(".")


def test_a_text_without_claims_has_sentences_only(server: Running) -> None:
    text = server.http.post(ADDRESS, json={"text": "Who knows? I do not."}).text
    assert text.count("event: ") == 1


def test_the_first_claims_are_checked_and_the_others_told() -> None:
    found = read_text(f"{ASPIRIN} {COFFEE} {ASPIRIN}", most=2)
    assert list(found.claims) == [0, 1]
    told = found.to_dict()["sentences"]
    assert [(item["is_claim"], item["is_checked"]) for item in told] == [
        (True, True),
        (True, True),
        (True, False),
    ]


def _events(answer: httpx.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    for line in answer.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line:
            yield name, json.loads(line.removeprefix("data: "))
