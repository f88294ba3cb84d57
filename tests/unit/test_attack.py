"""A small run of benchmarks/attack.py; test_linear_time and test_schema have its other parts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import attack


def test_killed_writers_lose_nothing() -> None:
    row = attack.kills(3, seed=2)
    assert (row.count, row.findings) == (3, [])


def test_no_file_makes_a_reader_raise() -> None:
    row = attack.fuzzed(300, seed=2)
    assert (row.count, row.findings) == (300, [])


def test_a_reader_that_raises_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(attack, "read", fail)
    assert len(attack.fuzzed(3, seed=1).findings) == 3
