"""Several presets in one service."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.errors import ConfigurationError
from claimscope.service.jobs.queue import Kind, Order
from claimscope.service.middleware import Metrics
from claimscope.service.presets import Presets
from claimscope.service.settings import Limits, Settings
from claimscope.service.state import open_service
from claimscope.types import Claim

from .running import ASPIRIN, Running, gated, make_library, running, until

OWN = """
summary = "Two papers, nothing judged."
[[stages]]
kind = "retrieve"
name = "bm25"
k = 2
[[stages]]
kind = "decide"
name = "unjudged"
"""


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Running]:
    """A service that offers its default preset and one of its owner's."""
    with running(_settings(tmp_path)) as started:
        yield started


def _settings(folder: Path) -> Settings:
    own = folder / "own.toml"
    own.write_text(OWN)
    return Settings(make_library(folder / "library"), ("lexical-baseline", str(own)))


def test_every_way_to_check_takes_a_preset_and_has_a_default(both: Running) -> None:
    for preset, expected in ((None, "lexical-baseline"), ("own", "own")):
        named = {} if preset is None else {"preset": preset}
        one = both.http.post("/check", json={"claim": ASPIRIN, **named}).json()
        many = both.http.post("/check/many", json={"claims": [ASPIRIN], **named}).json()
        saved = both.http.post("/verdicts", json={"claim": ASPIRIN, **named}).json()
        streamed = both.http.get("/check/stream", params={"claim": ASPIRIN, **named}).text
        for case in (one, many["results"][0], saved["result"]):
            assert case["provenance"]["preset"] == expected
        assert f'"preset": "{expected}"' in streamed
    assert len(one["candidates"]) == 2


def test_why_follows_a_document_through_the_named_preset(both: Running) -> None:
    words = {"claim": ASPIRIN, "document": "statins"}
    dropped = "Dropped at retrieve.bm25"
    asked = [both.http.get("/why", params={**words, **named}) for named in ({}, {"preset": "own"})]
    assert [each.json()["conclusion"].startswith(dropped) for each in asked] == [False, True]


def test_jobs_are_checked_with_the_preset_they_name(both: Running) -> None:
    lines = {"content": ASPIRIN, "headers": {"Content-Type": "text/plain"}}
    asked = [
        (both.http.post("/jobs", json={"claims": [ASPIRIN], "preset": "own"}), "own"),
        (both.http.post("/jobs", params={"preset": "own"}, **lines), "own"),  # type: ignore[arg-type]
        (both.http.post("/jobs", **lines), "lexical-baseline"),  # type: ignore[arg-type]
    ]
    for answer, preset in asked:
        job = answer.json()
        assert job["preset"] == preset
        until(lambda name=job["id"]: both.http.get(f"/jobs/{name}").json()["state"] == "done")
        [found] = both.http.get(f"/jobs/{job['id']}/results").json()["results"]
        assert found["result"]["provenance"]["preset"] == preset


def test_a_preset_that_is_not_offered_is_refused_in_words(both: Running) -> None:
    for path, body in (
        ("/check", {"claim": ASPIRIN, "preset": "verisci"}),
        ("/check/many", {"claims": [ASPIRIN], "preset": "/etc/passwd.toml"}),
        ("/check/stream", {"claim": ASPIRIN, "preset": ""}),
        ("/jobs", {"claims": [ASPIRIN], "preset": "verisci"}),
        ("/jobs", {"claims": [ASPIRIN], "preset": 3}),
    ):
        answer = both.http.post(path, json=body)
        assert answer.status_code == 422, path
        assert "preset" in answer.json()["detail"]
    assert both.http.get("/jobs").json()["jobs"] == []


def test_the_list_says_which_are_offered(both: Running) -> None:
    presets = both.http.get("/presets").json()
    assert [item["name"] for item in presets if item["is_offered"]] == ["lexical-baseline", "own"]
    assert [item["name"] for item in presets if item["is_default"]] == ["lexical-baseline"]
    assert "verisci" in {item["name"] for item in presets}


def test_a_job_whose_preset_is_gone_fails_and_lets_the_next_pass(tmp_path: Path) -> None:
    settings = _settings(tmp_path)
    with open_service(settings) as service:
        order = Order(Kind.CHECK, 1, {"preset": "own"})
        lost = service.jobs.accept_claims(order, [Claim("Tea.")])
    with running(Settings(settings.library)) as started:
        after = started.http.post("/jobs", json={"claims": ["Tea."]}).json()
        until(lambda: started.http.get(f"/jobs/{after['id']}").json()["state"] == "done")
        job = started.http.get(f"/jobs/{lost.id}").json()
    assert job["state"] == "failed"
    assert "does not offer the preset 'own'" in job["error"]


def test_presets_wait_in_line_for_the_one_thread_that_runs_models(both: Running) -> None:
    statuses: list[int] = []

    def ask(preset: str) -> None:
        answer = both.http.post("/check", json={"claim": ASPIRIN, "preset": preset})
        statuses.append(answer.status_code)

    with gated(both.service) as gate:
        asking = [
            threading.Thread(target=ask, args=(name,)) for name in ("lexical-baseline", "own")
        ]
        asking[0].start()
        until(lambda: both.service.batcher.waiting == 1)
        asking[1].start()
        until(lambda: both.service.presets.waiting == 2)
        assert not statuses
        gate.opened.set()
        for thread in asking:
            thread.join()
    assert statuses == [200, 200]


def test_presets_that_name_the_same_model_share_it(server: Running) -> None:
    names = ("verisci", "vert5erini")
    presets = Presets.open(names, server.service.library, Limits(), Metrics())
    stages = [stage for batcher in presets for stage in batcher.checker.pipeline.stages]
    holders = [vars(stage)["models"] for stage in stages if "models" in vars(stage)]
    assert len(holders) > 2
    assert len({id(models) for models in holders}) == 1


def test_a_preset_given_twice_is_refused(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    presets = ("lexical-baseline", "lexical-baseline")
    with (
        pytest.raises(ConfigurationError, match="twice"),
        open_service(Settings(folder, presets)),
    ):
        pass
