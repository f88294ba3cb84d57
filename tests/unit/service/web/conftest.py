from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from claimscope.service.settings import Settings
from claimscope.types import Document, Metadata
from tests.unit.service.running import Running, make_library, running

from .judging import judged

HOSTILE = "<script>alert('owned')</script>"
SHREW = Document(
    "10.1000/shrew?<b>",
    f"Shrews {HOSTILE}",
    f"{HOSTILE} Shrews hunt worms.",
    ((0, len(HOSTILE)), (len(HOSTILE) + 1, len(HOSTILE) + 19)),
    Metadata(
        url="javascript:alert(1)",
        authors=(f"A {HOSTILE}",),
        venue='"><img src=x onerror=alert(1)>',
        note=HOSTILE,
    ),
)


@dataclass(frozen=True)
class Browser:
    """What a browser without scripts does: it keeps cookies, reads pages and sends their forms."""

    running: Running
    http: httpx.Client

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.http.get(path, **more)

    def text(self, path: str, **more: Any) -> str:
        answer = self.get(path, **more)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/html")
        return answer.text

    def csrf(self) -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]{64})"', self.http.get("/text").text)
        assert found
        return found[1]

    def post(self, path: str, data: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        return self.http.post(path, data={"csrf": self.csrf(), **(data or {})}, **more)


@pytest.fixture
def browser(fresh: Running) -> Iterator[Browser]:
    """A browser at a service with a judge, on a library of its own."""
    judged(fresh.service, threshold=0.6)
    headers = {"Accept": "text/html"}
    with httpx.Client(
        base_url=fresh.address, headers=headers, follow_redirects=True, timeout=20
    ) as http:
        yield Browser(fresh, http)


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser at a service whose library tests leave alone; it has a hostile paper."""
    folder = make_library(tmp_path_factory.mktemp("read") / "library", SHREW)
    with running(Settings(folder)) as started:
        judged(started.service, threshold=0.6)
        headers = {"Accept": "text/html"}
        with httpx.Client(base_url=started.address, headers=headers, timeout=20) as http:
            yield Browser(started, http)
