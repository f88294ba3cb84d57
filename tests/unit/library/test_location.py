from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.errors import InputError
from claimscope.library.location import (
    ENVIRONMENT_VARIABLE,
    default_location,
    open_library,
    resolve_location,
)


def test_the_argument_wins_then_the_environment_then_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, "/from/environment")
    assert resolve_location("/argument") == "/argument"
    assert resolve_location(None) == "/from/environment"
    monkeypatch.delenv(ENVIRONMENT_VARIABLE)
    assert resolve_location(None) == default_location()


def test_the_default_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "claimscope" in default_location()


def test_an_unknown_kind_of_url_is_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match=r"http://…; give a folder or qdrant://"):
        open_library("http://localhost:6333", create=True)


def test_a_path_may_begin_at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with open_library("~/papers", create=True) as library:
        assert library.location == str(tmp_path / "papers")
    with open_library(library.location) as again:
        assert len(again) == 0
