from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from claimscope.pipeline.preset import DEFAULT_PRESET

from .conftest import HOSTILE
from .running import ASPIRIN, Running

PROBLEM = {"type", "title", "status", "detail", "request_id"}


def test_search_ranks_papers(server: Running) -> None:
    answer = server.http.get("/search", params={"q": "aspirin heart attack", "limit": 2}).json()
    assert [item["rank"] for item in answer["results"]] == [1, 2]
    assert {item["id"] for item in answer["results"]} == {"aspirin", "aspirin-old"}


def test_why_follows_a_document(server: Running) -> None:
    words = {"claim": "Zebrafish swim.", "document": "ice"}
    answer = server.http.get("/why", params=words).json()
    assert answer["conclusion"].startswith("Dropped at retrieve.bm25")


def test_documents_come_in_pages_that_hold_each_once(server: Running) -> None:
    ids: list[str] = []
    after: str | None = ""
    while after is not None:
        page = server.http.get("/documents", params={"after": after, "limit": 4}).json()
        ids += [item["id"] for item in page["documents"]]
        after = page["next"]
    assert ids == sorted(ids)
    assert len(ids) == len(set(ids)) == page["total"] == 11


def test_hostile_text_comes_back_as_json_only(server: Running) -> None:
    name = quote("10.1000/hostile?<b>", safe="")
    for path in (f"/documents/{name}", "/search?q=zebrafish", "/documents?limit=1"):
        answer = server.http.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert HOSTILE in answer.json().get("title", answer.text)


WRONG: list[tuple[str, str, dict[str, Any], int]] = [
    ("GET", "/why", {"params": {"claim": ASPIRIN, "document": "unknown"}}, 404),
    ("GET", "/documents/unknown", {}, 404),
    ("GET", "/documents/..%2F..%2Fetc%2Fpasswd", {}, 404),
    ("DELETE", "/documents/unknown", {}, 404),
    ("GET", "/jobs/unknown", {}, 404),
    ("GET", "/verdicts/99", {}, 404),
    ("GET", "/nowhere", {}, 404),
    ("PATCH", "/check", {}, 405),
    ("POST", "/check", {"json": {"claim": 3}}, 422),
    ("POST", "/check", {"json": {"claim": "Tea.", "more": 1}}, 422),
    ("POST", "/check", {"content": b"{", "headers": {"content-type": "application/json"}}, 422),
    ("GET", "/search", {}, 422),
    ("GET", "/search", {"params": {"q": "tea", "limit": 0}}, 422),
    ("GET", "/jobs", {"params": {"before": 1 << 70}}, 422),
    ("POST", "/jobs", {"content": b"", "headers": {"content-type": "text/plain"}}, 422),
    ("POST", "/jobs", {"content": b"x", "headers": {"content-type": "image/png"}}, 422),
    ("POST", "/imports", {"files": {"files": ("a.exe", b"MZ")}}, 422),
    ("POST", "/imports", {"content": b"x", "headers": {"content-type": "text/plain"}}, 422),
    ("POST", "/imports", {"files": [("files", (f"{n}.ris", b"x")) for n in range(21)]}, 400),
    ("POST", "/check", {"content": b"x" * 1_000_001}, 413),
    ("POST", "/check", {"content": iter([b"x" * 600_000, b"x" * 600_000])}, 413),
]


@pytest.mark.parametrize(("method", "path", "more", "status"), WRONG)
def test_every_error_is_a_problem_of_one_shape(
    server: Running, method: str, path: str, more: dict[str, Any], status: int
) -> None:
    answer = server.http.request(method, path, **more)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem.keys() == PROBLEM
    assert problem["status"] == status
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert str(server.service.database.folder) not in answer.text


def test_a_refused_method_is_told_which_there_are(server: Running) -> None:
    for method, path, allowed in (
        ("PATCH", "/check/stream", "GET, POST"),
        ("POST", "/verdicts/1", "DELETE, GET"),
        ("DELETE", "/verdicts/corrections.jsonl", "GET"),
        ("PUT", "/documents/10.1000/x", "GET"),
    ):
        answer = server.http.request(method, path)
        assert answer.status_code == 405, path
        assert answer.headers["allow"].startswith(allowed), path


def test_a_request_id_is_taken_if_it_is_harmless(server: Running) -> None:
    answer = server.http.get("/health", headers={"X-Request-ID": "mine-1"})
    assert answer.headers["x-request-id"] == "mine-1"
    answer = server.http.get("/health", headers={"X-Request-ID": "a b\t<"})
    assert answer.headers["x-request-id"] not in {"", "a b\t<"}


def test_ready_presets_metrics_and_the_description(server: Running) -> None:
    assert server.http.get("/ready").json()["documents"] == 11
    presets = server.http.get("/presets").json()
    offered = [item["name"] for item in presets if item["is_offered"]]
    assert offered == [item["name"] for item in presets if item["is_default"]]
    assert offered == [DEFAULT_PRESET]
    text = server.http.get("/metrics").text
    assert 'route="/api/v1/ready",status="200"' in text
    described = server.http.get("/openapi.json").json()
    assert {"/api/v1/check", "/api/v1/jobs", "/api/v1/why"} <= described["paths"].keys()
    assert "Problem" in described["components"]["schemas"]
