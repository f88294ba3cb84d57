"""Runs the command line as a user does, in a home of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from claimscope.cli.app import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home where no library is; the demonstration library is built once for all tests."""
    folder = tmp_path_factory.mktemp("home")
    cache = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.delenv("CLAIMSCOPE_LIBRARY", raising=False)
    return folder


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def run_it(*words: str | Path) -> Result:
        monkeypatch.setattr(sys, "argv", ["claimscope", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return run_it
