"""Clients that send what no program should, or leave before their answer comes."""

from __future__ import annotations

import logging
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from claimscope.ingest.record import Failure
from claimscope.service.jobs.imports import _without_paths
from claimscope.service.jobs.tokens import Scope
from claimscope.service.server import Redacting
from claimscope.service.web.pages import audit

from .running import ASPIRIN, Running, gated, until

CHECK = f'{{"claim": "{ASPIRIN}"}}'.encode()


def ask(started: Running, request: bytes) -> socket.socket:
    """Send a request as it stands and leave the connection open."""
    port = int(started.address.rpartition(":")[2])
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(request)
    return connection


def status_of(started: Running, request: bytes) -> int:
    with ask(started, request) as connection:
        return int(connection.recv(4096).split()[1])


def post(path: str, body: bytes, *headers: str) -> bytes:
    lines = (f"POST /api/v1/{path} HTTP/1.1", "Host: localhost", *headers)
    lines = (*lines, "Content-Type: application/json", f"Content-Length: {len(body)}", "", "")
    return "\r\n".join(lines).encode() + body


@pytest.mark.parametrize("origin", ["http://[::1", "http://[", "null", "//", "http://a]b"])
def test_an_origin_that_is_no_address_is_refused(server: Running, origin: str) -> None:
    assert server.http.get("/ready", headers={"Origin": origin}).status_code == 403


def test_headers_that_are_too_large_are_refused(server: Running) -> None:
    refused = server.http.get("/health", headers={"X-Long": "x" * 60_000})
    assert refused.status_code == 431
    assert server.http.get("/health", headers={"X-Long": "x" * 10_000}).status_code == 200


def test_two_lengths_of_one_body_are_refused(server: Running) -> None:
    request = post("check", CHECK, "Transfer-Encoding: chunked")
    assert status_of(server, request) == 400


def test_a_path_forges_no_line_of_the_log(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="claimscope.service"):
        server.http.get("/%0aforged%20line%1b[31m%c2%85%e2%80%a8x")
        until(lambda: any("forged" in record.getMessage() for record in caplog.records))
    shown = [Redacting("%(message)s").format(each) for each in caplog.records]
    [line] = [line for line in shown if "forged" in line]
    assert line.isprintable()
    assert r"\x0aforged" in line or r"\nforged" in line


def test_a_message_with_controls_is_one_line() -> None:
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "a %s", ("b\nc\x1b[0m\r",), None)
    assert Redacting("%(message)s").format(record) == r"a b\nc\x1b[0m\r"


def test_a_failure_shows_no_path_of_the_server() -> None:
    path = "/srv/library/uploads/0123/0.bib"
    failure = Failure(path, 1, f"cannot open {path}: see /srv/library/uploads/0123/x")
    shown = _without_paths(failure, {path: "mine.bib"})
    assert shown == Failure("mine.bib", 1, "cannot open mine.bib: see the upload/x")


def test_checks_whose_clients_have_left_are_not_computed(fresh: Running) -> None:
    with gated(fresh.service) as gate:
        first = threading.Thread(target=lambda: fresh.http.post("/check", json={"claim": ASPIRIN}))
        first.start()
        until(lambda: fresh.service.batcher.waiting == 1)
        gone = [ask(fresh, post("check", CHECK)) for _ in range(20)]
        until(lambda: fresh.service.batcher.waiting == 21)
        for connection in gone:
            connection.close()
        until(lambda: fresh.service.batcher.waiting == 1)
        gate.opened.set()
        first.join()
    text = fresh.http.get("/metrics").text
    assert "claimscope_batch_claims_sum 1.0" in text


def test_a_long_queue_is_refused_with_the_time_to_wait(fresh: Running) -> None:
    batcher = fresh.service.batcher
    batcher._waiting, batcher._claim_seconds = 8, 5.0
    refused = fresh.http.post("/check", json={"claim": ASPIRIN})
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "40")
    batcher._waiting = 0
    assert fresh.http.post("/check", json={"claim": ASPIRIN}).status_code == 200


@pytest.mark.parametrize("line", [b"\n", b"Tea heals.\n", b"\xff\n", b"\r"])
@pytest.mark.parametrize("kind", ["text/plain", "text/csv"])
def test_a_body_of_millions_of_lines_is_refused_soon(
    server: Running, line: bytes, kind: str
) -> None:
    body = b"claim\n" + line * (19_000_000 // len(line))
    begun = time.process_time()
    refused = server.http.post("/jobs", content=body, headers={"Content-Type": kind}, timeout=120)
    assert refused.status_code == 422
    assert time.process_time() - begun < 2


def test_a_job_of_too_many_claims_is_refused(server: Running) -> None:
    body = b"Tea heals.\n" * 100_000
    refused = server.http.post("/jobs", content=body, headers={"Content-Type": "text/plain"})
    assert refused.status_code == 422
    assert "1 to 10,000 claims" in refused.json()["detail"]


def test_manuscripts_that_are_slow_to_read_hold_up_nobody(
    fresh: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, read = threading.Event(), audit.read_pasted

    def slow(*given: str) -> object:
        assert opened.wait(60)
        return read(*given)

    monkeypatch.setattr(audit, "read_pasted", slow)
    token = fresh.service.tokens.create("reader", Scope.READ)
    address = fresh.address
    fresh.service.batcher._claim_seconds = 0.0
    with ThreadPoolExecutor(40) as others, httpx.Client(base_url=address, timeout=60) as client:
        csrf = client.get("/audit").text.partition('name="csrf" value="')[2][:64]
        form = {"text": f"{ASPIRIN} [@a]", "references": "", "form": "md", "csrf": csrf}
        waiting = [others.submit(client.post, "/audit", data=form) for _ in range(40)]
        try:
            until(lambda: fresh.service.batcher.waiting == 40, 30)
            with_token = {"Authorization": f"Bearer {token}"}
            found = fresh.http.get("/search", params={"q": "tea"}, headers=with_token, timeout=5)
        finally:
            opened.set()
        assert found.status_code == 200
        assert {each.result().status_code for each in waiting} == {200}


def test_a_hanging_check_is_told_by_readiness(fresh: Running) -> None:
    fresh.service.batcher._began = time.monotonic() - 301
    assert fresh.http.get("/ready").status_code == 503
    fresh.service.batcher._began = None
    assert fresh.http.get("/ready").status_code == 200
