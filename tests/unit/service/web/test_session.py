from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from fastapi.routing import APIRoute

from claimscope.service.jobs.tokens import Scope
from claimscope.service.settings import Settings
from claimscope.service.state import open_service
from claimscope.service.web.session import COOKIE
from claimscope.service.web.site import ROUTERS
from tests.unit.service.running import Running, make_library, running

from .conftest import Browser

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, dict[str, str]]]:
    folder = make_library(tmp_path_factory.mktemp("guarded") / "library")
    with open_service(Settings(folder)) as service:
        tokens = {scope.value: service.tokens.create(scope.value, scope) for scope in Scope}
    with running(Settings(folder, host="0.0.0.0")) as started:
        yield started, tokens


def _browser(started: Running) -> Browser:
    return Browser(started, httpx.Client(base_url=started.address, headers=HTML))


def _log_in(browser: Browser, token: str) -> httpx.Response:
    page = browser.get("/login?next=/history")
    csrf = page.text.partition('name="csrf" value="')[2][:64]
    return browser.http.post("/login", data={"csrf": csrf, "token": token, "next": "/history"})


def _paths(method: str) -> list[str]:
    """Give every address of the page that answers a method, with something in its places."""
    routes = [route for router in ROUTERS for route in router.routes]
    places = {"{number}": "1", "{job_id}": "0", "{document_id:path}": "tea"}
    return [
        re.sub(r"\{.*?\}", lambda found: places.get(found[0], "x"), route.path)
        for route in routes
        if isinstance(route, APIRoute) and method in route.methods
    ]


def test_every_form_needs_the_token_of_its_page(reading: Browser) -> None:
    paths = _paths("POST")
    assert len(paths) >= 10
    csrf = reading.csrf()
    for path in paths:
        for given in ({}, {"csrf": ""}, {"csrf": "0" * 64}):
            assert reading.http.post(path, data=given).status_code == 403, path
        # Without the cookie the token of another visitor is worth nothing.
        stranger = httpx.post(f"{reading.running.address}{path}", data={"csrf": csrf})
        assert stranger.status_code == 403, path


def test_a_form_of_another_site_is_refused_even_with_the_token(reading: Browser) -> None:
    data = {"csrf": reading.csrf(), "claim": "Tea."}
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert reading.http.post("/history", data=data, headers=headers).status_code == 403


def test_the_cookie_is_hidden_from_scripts_and_other_sites(reading: Browser) -> None:
    answer = httpx.get(f"{reading.running.address}/", headers=HTML)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    secure = httpx.get(
        f"{reading.running.address}/", headers={**HTML, "X-Forwarded-Proto": "https"}
    )
    assert "Secure" in secure.headers["set-cookie"]


def test_other_computers_have_to_log_in(guarded: tuple[Running, dict[str, str]]) -> None:
    started, tokens = guarded
    browser = _browser(started)
    answer = browser.get("/history")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?next=%2Fhistory"
    before = browser.get("/login").request.headers.get("cookie")
    for wrong in ("", "x", tokens["read"][:-1]):
        assert _log_in(browser, wrong).status_code == 401
        assert browser.get("/history").status_code == 303
    answer = _log_in(browser, tokens["read"])
    assert (answer.status_code, answer.headers["location"]) == (303, "/history")
    page = browser.get("/history")
    assert page.status_code == 200
    assert page.request.headers["cookie"] != before, "a session begins under a new cookie"
    assert tokens["read"] not in str(page.request.headers)


def test_every_page_but_the_login_asks_strangers_to_log_in(
    guarded: tuple[Running, dict[str, str]],
) -> None:
    started, _ = guarded
    browser = _browser(started)
    paths = [path for path in _paths("GET") if path not in {"/login", "/static/x"}]
    assert len(paths) > 15
    for path in paths:
        answer = browser.get(path, params={"claim": "a", "document": "tea"})
        assert answer.status_code == 303, path
        assert answer.headers["location"].startswith("/login")


def test_scopes_hold_on_the_page(guarded: tuple[Running, dict[str, str]]) -> None:
    started, tokens = guarded
    reader = _browser(started)
    _log_in(reader, tokens["read"])
    assert 'action="/batch/jobs"' not in reader.get("/batch").text
    answer = reader.post("/batch/jobs", {"claims": "Tea."})
    assert answer.status_code == 403
    assert "needs the scope write, but your token has read" in answer.text
    writer = _browser(started)
    _log_in(writer, tokens["write"])
    assert writer.post("/batch/jobs", {"claims": "Tea lowers iron."}).status_code == 303


def test_logging_out_and_revoking_end_a_session(
    guarded: tuple[Running, dict[str, str]],
) -> None:
    started, tokens = guarded
    browser = _browser(started)
    _log_in(browser, tokens["read"])
    kept = browser.http.cookies[COOKIE]
    assert browser.post("/logout").status_code == 303
    with httpx.Client(base_url=started.address, headers=HTML, cookies={COOKIE: kept}) as old:
        assert old.get("/history").status_code == 303
    guest = started.service.tokens.create("visitor", Scope.READ)
    again = _browser(started)
    _log_in(again, guest)
    assert again.get("/history").status_code == 200
    started.service.tokens.revoke("visitor")
    assert again.get("/history").status_code == 303


@pytest.mark.parametrize("address", ["//evil.example", "/\\evil.example", "http://evil.example"])
def test_the_login_leads_to_no_other_site(reading: Browser, address: str) -> None:
    answer = reading.get("/login", params={"next": address})
    assert answer.headers["location"] == "/"


def test_a_cookie_of_a_session_is_no_key_to_the_api(
    guarded: tuple[Running, dict[str, str]],
) -> None:
    started, tokens = guarded
    browser = _browser(started)
    _log_in(browser, tokens["admin"])
    assert browser.http.get("/api/v1/jobs").status_code == 401
