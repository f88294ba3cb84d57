from __future__ import annotations

from pathlib import Path

import pytest

from claimscope._hosts import is_loopback
from claimscope.errors import ClaimscopeError, ConfigurationError, LibraryLockedError
from claimscope.service.jobs.tokens import Scope
from claimscope.service.settings import Settings
from claimscope.service.state import open_service

from .running import ASPIRIN, Running, make_library


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_another_host_needs_a_token_to_start(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    with (
        pytest.raises(ConfigurationError, match="serve token create"),
        open_service(Settings(folder, host="0.0.0.0")),
    ):
        pass


def test_one_library_has_one_service(server: Running) -> None:
    with (
        pytest.raises(LibraryLockedError, match="Another service"),
        open_service(server.service.settings),
    ):
        pass


def test_every_address_but_health_asks_for_a_token(
    guarded: tuple[Running, dict[str, str]],
) -> None:
    started, _ = guarded
    described = started.http.get("/openapi.json").json()
    asked = 0
    for path, methods in described["paths"].items():
        for method in methods:
            address = started.address + path.replace("{number}", "1")
            answer = started.http.request(method, address, params={"q": "a", "claim": "a"})
            if path.endswith("/health"):
                assert answer.status_code == 200
                continue
            asked += 1
            # Where the request itself is wrong, that may be told first.
            assert answer.status_code in {401, 422}, path
            if answer.status_code == 401:
                assert answer.headers["www-authenticate"] == "Bearer"
    assert asked > 20


@pytest.mark.parametrize("wrong", ["_", "x", "claimscope_00_00", "é"])
def test_a_wrong_token_is_refused(guarded: tuple[Running, dict[str, str]], wrong: str) -> None:
    started, tokens = guarded
    right = tokens["admin"]
    for text in (f"Bearer {wrong}", f"Basic {right}", f"Bearer {right[:-1]}", f"Bearer {right}0"):
        headers = {"Authorization": text.encode()}
        assert started.http.get("/ready", headers=headers).status_code == 401  # type: ignore[arg-type]


def test_scopes_allow_what_they_say_and_no_more(
    guarded: tuple[Running, dict[str, str]],
) -> None:
    started, tokens = guarded
    body = {"claims": ["Tea."]}
    read, write = _bearer(tokens["read"]), _bearer(tokens["write"])
    assert started.http.post("/check", json={"claim": ASPIRIN}, headers=read).status_code == 200
    assert started.http.post("/jobs", json=body, headers=read).status_code == 403
    assert started.http.delete("/documents/tea", headers=read).status_code == 403
    assert started.http.post("/jobs", json=body, headers=write).status_code == 202
    assert started.http.get("/jobs", headers=_bearer(tokens["admin"])).status_code == 200


def test_a_revoked_token_is_worthless_at_once(guarded: tuple[Running, dict[str, str]]) -> None:
    started, _ = guarded
    token = started.service.tokens.create("guest", Scope.READ)
    assert started.http.get("/ready", headers=_bearer(token)).status_code == 200
    started.service.tokens.revoke("guest")
    assert started.http.get("/ready", headers=_bearer(token)).status_code == 401


def test_the_store_holds_no_token(guarded: tuple[Running, dict[str, str]]) -> None:
    started, tokens = guarded
    secrets = [token.rpartition("_")[2].encode() for token in tokens.values()]
    for file in started.service.database.folder.glob("library.sqlite*"):
        content = file.read_bytes()
        assert not any(secret in content for secret in secrets)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "[", ""])
def test_another_name_for_this_computer_is_refused(server: Running, host: str) -> None:
    assert server.http.get("/health", headers={"Host": host}).status_code in {400, 403}


def test_a_page_of_another_site_is_refused(server: Running) -> None:
    body = {"claim": ASPIRIN}
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        answer = server.http.post("/check", json=body, headers={"Origin": origin})
        assert answer.status_code == 403
    loaded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert server.http.get("/search?q=tea", headers=loaded).status_code == 403
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert server.http.get("/search?q=tea", headers=followed).status_code == 200
    own = {"Origin": server.address}
    assert server.http.post("/check", json=body, headers=own).status_code == 200


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.2", False),
        ("localhost.evil.example", False),
        ("", False),
    ],
)
def test_only_this_computers_own_addresses_are_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_a_token_needs_a_name_of_its_own(fresh: Running) -> None:
    fresh.service.tokens.create("one", Scope.READ)
    for name in ("one", "", "a\nb"):
        with pytest.raises(ClaimscopeError):
            fresh.service.tokens.create(name, Scope.READ)
