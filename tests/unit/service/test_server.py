"""No access token gets into the log, wherever a client puts it."""

from __future__ import annotations

import logging
import socket
import sys

import pytest

from claimscope.service.server import Redacting

from .running import ASPIRIN, Running

Guarded = tuple[Running, dict[str, str]]


def test_no_token_is_logged(guarded: Guarded, caplog: pytest.LogCaptureFixture) -> None:
    started, tokens = guarded
    token = tokens["read"]
    secret = token.rpartition("_")[2]
    headers = {"Authorization": f"Bearer {token}"}
    with caplog.at_level(logging.DEBUG):
        for place in (f"/search?q={token}", f"/ready?token={token}", f"/documents/{token}"):
            started.http.get(place, headers=headers)
            started.http.get(place, headers={"Authorization": f"Basic {token}"})
        for name in ("X-Request-ID", "Cookie", "Idempotency-Key", "Origin", "Referer"):
            started.http.get("/ready", headers={**headers, name: token})
            started.http.get("/ready", headers={name: secret})
        started.http.post("/check", json={"claim": ASPIRIN, token: token}, headers=headers)
        started.http.post("/check", json={"claim": token, "preset": token}, headers=headers)
        started.http.request(token.upper(), "/ready", headers=headers)
        _send_raw(started, f"GET /{token} HTTP/1.1\r\nAuthorization Bearer {token}\r\n\r\n")
    lines = _lines_of_the_service(caplog)
    assert any("/api/v1/ready" in line for line in lines)
    assert not any(secret in line.lower() for line in lines)


def test_a_traceback_is_logged_without_the_token_in_it() -> None:
    token = "claimscope_0123456789ab_" + "0123456789abcdef" * 4
    try:
        raise ValueError(f"wrong header: Bearer {token}")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed for %s", (token,), None)
        record.exc_info = sys.exc_info()
    text = Redacting("%(message)s").format(record)
    assert "Traceback" in text
    assert token[-32:] not in text


def _lines_of_the_service(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Give what the service and its server wrote; the test's own client writes a log, too."""
    return [
        Redacting("%(message)s").format(record)
        for record in caplog.records
        if record.name.startswith(("claimscope", "uvicorn"))
    ]


def _send_raw(started: Running, text: str) -> None:
    port = int(started.address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(text.encode())
        connection.recv(4096)
