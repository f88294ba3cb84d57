"""A small run of benchmarks/attack.py; test_linear_time and test_schema have its other parts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import attack
import fuzz_readers

# The package offers a function of this name, too.
detect = import_module("claimscope.ingest.detect")


def test_killed_writers_lose_nothing() -> None:
    row = attack.Row("kills")
    list(attack.kills(row, 3, seed=2))
    assert (row.count, row.findings) == (3, [])


def test_no_file_makes_a_reader_raise() -> None:
    row = attack.Row("inputs")
    list(attack.fuzzed(row, 2_000, seed=2))
    assert (row.count, row.findings) == (2_000, [])


def test_an_error_that_no_reader_foresaw_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> Iterator[object]:
        raise ZeroDivisionError("x")

    broken = replace(detect.FORMATS["ris"], read=fail)
    monkeypatch.setattr(detect, "FORMATS", {**detect.FORMATS, "ris": broken})
    fuzzer = fuzz_readers.Fuzzer("1", tmp_path / "file")
    found = [each for _ in range(300) if (each := fuzzer.one())]
    assert found
    assert all("ZeroDivisionError" in each for each in found)


def test_a_reader_that_dies_is_a_finding_and_the_next_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "child.py"
    script.write_text(
        "import os, sys\n"
        "open(sys.argv[3], 'wb').write(b'deadly')\n"
        "if sys.argv[2] == 'seed-0': os.kill(os.getpid(), 11)\n"
        "print('[' + sys.argv[1] + ', []]')\n"
    )
    monkeypatch.setattr(fuzz_readers, "__file__", str(script))
    [(one, [finding]), (rest, none)] = fuzz_readers.fuzz(10, "seed")
    assert (one, rest, none) == (1, 9, [])
    assert "-11" in finding
    assert "deadly" in finding


def test_an_attack_that_was_stopped_goes_on(tmp_path: Path) -> None:
    done: list[int] = []

    def work(row: attack.Row) -> Iterator[None]:
        while row.count < 4:
            row.count += 1
            done.append(row.count)
            yield
            if done == [1, 2]:
                raise KeyboardInterrupt

    record = tmp_path / "record.json"
    assert [row.count for row in attack.attack({"work": work}, record)] == [2]
    assert [row.count for row in attack.attack({"work": work}, record)] == [4]
    assert done == [1, 2, 3, 4]
