"""Access tokens over HTTP, which only an administrator may see, make and revoke."""

from __future__ import annotations

import pytest

from .running import Running

Guarded = tuple[Running, dict[str, str]]


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_is_made_used_listed_without_its_secret_and_revoked(guarded: Guarded) -> None:
    started, tokens = guarded
    admin = _bearer(tokens["admin"])
    made = started.http.post("/tokens", json={"name": "desk", "scope": "write"}, headers=admin)
    assert made.status_code == 201
    text = made.json()["token"]
    assert started.http.get("/ready", headers=_bearer(text)).status_code == 200
    listed = started.http.get("/tokens", headers=admin)
    assert {(item["name"], item["scope"]) for item in listed.json()["tokens"]} == {
        ("admin", "admin"),
        ("desk", "write"),
        ("read", "read"),
        ("write", "write"),
    }
    assert text.rpartition("_")[2] not in listed.text
    path = f"/tokens/{made.json()['id']}"
    assert started.http.delete(path, headers=admin).status_code == 204
    assert started.http.get("/ready", headers=_bearer(text)).status_code == 401
    assert started.http.delete(path, headers=admin).status_code == 404


def test_a_token_reads_unless_more_is_asked_for(guarded: Guarded) -> None:
    started, tokens = guarded
    admin = _bearer(tokens["admin"])
    made = started.http.post("/tokens", json={"name": "plain"}, headers=admin).json()
    assert made["scope"] == "read"
    started.http.delete(f"/tokens/{made['id']}", headers=admin)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": " "},
        {"name": "a\nb"},
        {"name": "read"},
        {"name": "x" * 201},
        {"name": "x", "scope": "all"},
        {"name": "x", "more": 1},
    ],
)
def test_a_wrong_order_makes_no_token(guarded: Guarded, body: dict[str, object]) -> None:
    started, tokens = guarded
    answer = started.http.post("/tokens", json=body, headers=_bearer(tokens["admin"]))
    assert answer.status_code == 422
    assert len(started.service.tokens.all()) == 3


@pytest.mark.parametrize("scope", ["read", "write"])
def test_other_scopes_are_not_enough(guarded: Guarded, scope: str) -> None:
    started, tokens = guarded
    headers = _bearer(tokens[scope])
    assert started.http.get("/tokens", headers=headers).status_code == 403
    made = started.http.post("/tokens", json={"name": "x", "scope": "admin"}, headers=headers)
    assert made.status_code == 403
    assert started.http.delete("/tokens/x", headers=headers).status_code == 403
    assert len(started.service.tokens.all()) == 3


def test_even_this_computer_makes_no_token_without_one(server: Running) -> None:
    assert server.http.get("/tokens").status_code == 401
    assert server.http.post("/tokens", json={"name": "x"}).status_code == 401
    assert server.http.delete("/tokens/x").status_code == 401
    assert server.service.tokens.all() == []
