from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from claimscope.library import location
from claimscope.library.location import open_demo
from claimscope.library.store import FILE_NAME


def test_the_demo_of_a_newer_version_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(location, "user_cache_path", lambda _name: tmp_path)
    with monkeypatch.context() as newer:
        newer.setattr(location, "FORM", "v99")
        open_demo().close()
    [folder] = tmp_path.glob("demo-*-v99")
    with sqlite3.connect(folder / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    with open_demo() as library:
        assert len(library) == 109
