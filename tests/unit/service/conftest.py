from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

from claimscope.service.jobs.tokens import Scope
from claimscope.service.settings import Settings
from claimscope.service.state import open_service
from claimscope.types import Document

from .running import Running, make_library, running

HOSTILE = "<script>alert('owned')</script>"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service on ten papers and one with a hostile title; tests leave the papers alone."""
    hostile = Document("10.1000/hostile?<b>", f"Zebrafish {HOSTILE}", "")
    folder = make_library(tmp_path_factory.mktemp("served") / "library", hostile)
    with running(Settings(folder)) as started:
        yield started


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service on a library of its own, to change."""
    folder = make_library(tmp_path_factory.mktemp("fresh") / "library")
    with running(Settings(folder)) as started:
        yield started


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, dict[str, str]]]:
    """A service that believes other computers can reach it, with a token of every scope."""
    folder = make_library(tmp_path_factory.mktemp("guarded") / "library")
    with open_service(Settings(folder)) as service:
        tokens = {scope.value: service.tokens.create(scope.value, scope) for scope in Scope}
    with running(Settings(folder, host="0.0.0.0")) as started:
        yield started, tokens
