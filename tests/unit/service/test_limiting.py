"""Clients that ask or read too slowly, or never, against the real server."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from claimscope.service.limiting import RateLimit
from claimscope.service.settings import Limits, Settings

from .running import ASPIRIN, Running, make_library, running, until

POST = b"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CONNECTIONS = 200


@dataclass(frozen=True)
class Nuisance:
    """What a bad client sends at once, and then again and again."""

    at_once: bytes
    for_ever: bytes


NUISANCES = (
    Nuisance(b"", b""),
    Nuisance(b"\x16\x03\x01\x02\x00\x01 garbage\r\n\r\n", b"\xff"),
    Nuisance(b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"x"),
    Nuisance(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nX: ", b"x"),
    Nuisance(POST + b"Content-Length: 900000\r\n\r\n{", b" "),
    Nuisance(POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    # Refused before its body is read, which then still comes.
    Nuisance(POST.replace(b"check", b"none") + b"Content-Length: 900000\r\n\r\n{", b" "),
    Nuisance(b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\nGET ", b"/"),
)


@pytest.fixture
def hurried(tmp_path: Path) -> Iterator[Running]:
    """A service that waits for clients no longer than a moment."""
    limits = Limits(header_seconds=1.5, body_seconds=1.5, reading_seconds=0.5)
    with running(Settings(make_library(tmp_path / "library"), limits=limits)) as started:
        yield started


def test_two_hundred_bad_clients_are_let_go_and_a_good_one_is_answered(hurried: Running) -> None:
    hurried.http.get("/health")
    files_before = _open_files()
    with ExitStack() as stack:
        bad = [stack.enter_context(connected(hurried)) for _ in range(CONNECTIONS)]
        with pestering(bad):
            slowest = _ask_well(hurried, seconds=3)
            until(lambda: all(_is_ended(each) for each in bad), 15)
    assert slowest < 10
    hurried.http.close()
    state = hurried.server.server_state
    until(lambda: not state.connections and not state.tasks, 15)
    until(lambda: _open_files() <= files_before)
    assert httpx.get(f"{hurried.address}/api/v1/ready").status_code == 200


def test_a_body_that_comes_drop_by_drop_is_given_up(tmp_path: Path) -> None:
    limits = Limits(body_seconds=1, body_rate=1_000)
    with (
        running(Settings(make_library(tmp_path / "library"), limits=limits)) as started,
        connected(started) as slow,
    ):
        slow.sendall(POST + b"Content-Length: 900000\r\n\r\n{")
        began = time.monotonic()
        with pestering([slow], Nuisance(b"", b" ")):
            assert b" 408 " in slow.recv(4096)
        assert time.monotonic() - began > 0.9


def test_a_client_that_never_reads_is_let_go(hurried: Running) -> None:
    with connected(hurried) as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        silent.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        until(lambda: hurried.server.server_state.total_requests > 5)
        until(lambda: not hurried.server.server_state.connections)
        until(lambda: not hurried.server.server_state.tasks)


def test_where_all_places_are_taken_the_longest_idle_client_goes(tmp_path: Path) -> None:
    limits = Limits(connections=5, header_seconds=60)
    with (
        running(Settings(make_library(tmp_path / "library"), limits=limits)) as started,
        ExitStack() as stack,
    ):
        idle = []
        for number in range(1, 6):
            idle.append(stack.enter_context(connected(started)))
            until(lambda count=number: len(started.server.server_state.connections) == count)
        assert started.http.get("/ready").status_code == 200
        until(lambda: _is_ended(idle[0]))
        assert not any(_is_ended(each) for each in idle[1:])


@contextmanager
def connected(started: Running) -> Iterator[socket.socket]:
    port = int(started.address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        yield connection


@contextmanager
def pestering(bad: Sequence[socket.socket], only: Nuisance | None = None) -> Iterator[None]:
    """Let every connection send its nuisance, a little of it five times a second."""
    ended = threading.Event()
    plan = [(each, only or NUISANCES[n % len(NUISANCES)]) for n, each in enumerate(bad)]

    def pester() -> None:
        for each, nuisance in plan:
            _send(each, nuisance.at_once)
        while not ended.wait(0.2):
            for each, nuisance in plan:
                _send(each, nuisance.for_ever)

    thread = threading.Thread(target=pester)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _send(connection: socket.socket, content: bytes) -> None:
    try:
        connection.sendall(content)
    except OSError:
        return


def _is_ended(connection: socket.socket) -> bool:
    """Say whether the server has ended a connection; what it answered before is passed over."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.settimeout(10)
    return True


def _ask_well(started: Running, seconds: float) -> float:
    """Check claims on fresh connections and give the longest time that an answer took."""
    slowest, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        answer = httpx.post(f"{started.address}/api/v1/check", json={"claim": ASPIRIN}, timeout=20)
        slowest = max(slowest, time.monotonic() - began)
        assert answer.status_code == 200
    return slowest


def _open_files() -> int:
    if sys.platform != "linux":
        return 0
    return len(os.listdir("/proc/self/fd"))


def test_a_client_that_asks_too_often_is_told_to_wait(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = make_library(tmp_path_factory.mktemp("often") / "library")
    limits = Limits(requests_per_second=0.5, burst=3)
    with running(Settings(folder, limits=limits)) as started:
        answers = [started.http.get("/health") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert answers[-1].headers["content-type"] == "application/problem+json"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a second address of its own")
def test_one_client_that_asks_too_often_keeps_no_other_from_asking(tmp_path: Path) -> None:
    limits = Limits(requests_per_second=0.1, burst=2)
    with running(Settings(make_library(tmp_path / "library"), limits=limits)) as started:
        other = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=started.http.base_url, transport=other) as second:
            first = [started.http.get("/health").status_code for _ in range(4)]
            assert first == [200, 200, 429, 429]
            # A name of a client's own choice does not make it another client.
            claimed = {"X-Forwarded-For": "10.1.1.1", "Forwarded": "for=10.1.1.1"}
            assert started.http.get("/health", headers=claimed).status_code == 429
            assert [second.get("/health").status_code for _ in range(3)] == [200, 200, 429]


def test_a_bucket_fills_again_with_time() -> None:
    rate = RateLimit(per_second=2, burst=1)
    assert rate.wait("a", now=0) == 0
    assert rate.wait("a", now=0) == pytest.approx(0.5)
    assert rate.wait("b", now=0) == 0
    assert rate.wait("a", now=0.5) == 0


def test_a_body_that_stops_in_the_middle_is_given_up(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = make_library(tmp_path_factory.mktemp("slow") / "library")
    with running(Settings(folder, limits=Limits(body_seconds=0.2))) as started:
        with _connect(started) as slow:
            slow.sendall(
                b"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            )
            assert b" 408 " in slow.recv(4096)
        assert started.http.get("/health").status_code == 200


def test_garbage_and_huge_headers_harm_nobody(server: Running) -> None:
    opened = [_connect(server) for _ in range(60)]
    kinds = (b"\x16\x03\x01garbage\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"GET /")
    for number, connection in enumerate(opened):
        connection.sendall(kinds[number % len(kinds)])
    assert server.http.post("/check", json={"claim": ASPIRIN}).status_code == 200
    for connection in opened:
        connection.close()
    assert server.http.get("/ready").status_code == 200


def _connect(started: Running) -> socket.socket:
    port = int(started.address.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), timeout=10)
