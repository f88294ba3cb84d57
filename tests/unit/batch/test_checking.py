"""A batch in one process: parts in order, resumed where it stopped, refused where it differs."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from claimscope.batch.checking import BatchSummary, CheckSpec, check_file
from claimscope.batch.engine import InProcess
from claimscope.batch.parts import Finished, Part
from claimscope.case_json import from_dict, from_json
from claimscope.errors import ClusterError, FormatError, InputError
from claimscope.library.local import LocalLibrary

SEARCH_ONLY = """
[[stages]]
kind = "retrieve"
name = "bm25"

[[stages]]
kind = "decide"
name = "unjudged"
"""
CLAIMS = ["Aspirin prevents heart attack", "", "Tea lowers iron", "Statins harm", "Ice is lost"]


@pytest.fixture
def spec(library: LocalLibrary) -> CheckSpec:
    return CheckSpec(library.location, library.revision, "own", SEARCH_ONLY, None, "jsonl")


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    path = tmp_path / "claims.csv"
    path.write_text("id,claim\n" + "".join(f"c{n},{text}\n" for n, text in enumerate(CLAIMS)))
    return path


class Stopping(InProcess):
    """Is interrupted after some parts."""

    def __init__(self, after: int) -> None:
        self.after = after

    def run(self, work: Any, spec: Any, parts: Iterable[Part[Any]]) -> Iterator[Finished]:
        for number, finished in enumerate(super().run(work, spec, parts)):
            if number == self.after:
                raise KeyboardInterrupt
            yield finished


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_results_are_in_the_order_of_the_claims(
    claims: Path, spec: CheckSpec, tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    summary = check_file(
        claims, spec, tmp_path / "out", InProcess(), 2, lambda *numbers: told.append(numbers)
    )
    lines = [json.loads(line) for path in summary.paths for line in path.read_text().splitlines()]
    assert [line["id"] for line in lines] == [f"c{number}" for number in range(5)]
    assert lines[1]["result"] is None
    assert "empty" in lines[1]["error"]
    assert from_dict(lines[2]["result"]).candidates[0].document.id == "tea"
    assert (summary.claims, summary.refused, len(summary.paths)) == (5, 1, 3)
    assert told == [(0, 5), (2, 5), (4, 5), (5, 5)]


def test_a_stopped_batch_goes_on_and_gives_the_same_bytes(
    claims: Path, spec: CheckSpec, tmp_path: Path
) -> None:
    check_file(claims, spec, tmp_path / "whole", InProcess(), 2)
    with pytest.raises(KeyboardInterrupt):
        check_file(claims, spec, tmp_path / "stopped", Stopping(1), 2)
    summary = check_file(claims, spec, tmp_path / "stopped", InProcess(), 2)
    assert summary.resumed == 2
    assert content(tmp_path / "stopped") == content(tmp_path / "whole")
    again = check_file(claims, spec, tmp_path / "stopped", Stopping(0), 2)
    assert again.resumed == 5


Change = Callable[[CheckSpec, Path], tuple[CheckSpec, int]]


def _other_claims(spec: CheckSpec, claims: Path) -> tuple[CheckSpec, int]:
    claims.write_text(claims.read_text() + "c9,Masks help\n")
    return spec, 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_other_claims, "claims"),
        (lambda spec, _: (replace(spec, max_error=0.1), 2), "max error"),
        (lambda spec, _: (replace(spec, revision="0"), 2), "library revision"),
        (lambda spec, _: (spec, 3), "part size"),
    ],
)
def test_another_batch_is_refused_in_the_same_folder(
    claims: Path, spec: CheckSpec, tmp_path: Path, change: Change, words: str
) -> None:
    check_file(claims, spec, tmp_path / "out", InProcess(), 2)
    before = content(tmp_path / "out")
    other, size = change(spec, claims)
    with pytest.raises(InputError, match=words):
        check_file(claims, other, tmp_path / "out", InProcess(), size)
    assert content(tmp_path / "out") == before


def test_a_folder_of_other_files_is_left_alone(
    claims: Path, spec: CheckSpec, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="not empty"):
        check_file(claims, spec, tmp_path, InProcess())
    assert [path.name for path in tmp_path.iterdir()] == ["claims.csv"]


@pytest.mark.parametrize(
    ("change", "words"),
    [({"revision": "0"}, "other papers"), ({"version": "0.0.1"}, "same version")],
)
def test_a_worker_that_differs_stops_the_batch(
    claims: Path, spec: CheckSpec, tmp_path: Path, change: dict[str, str], words: str
) -> None:
    with pytest.raises(ClusterError, match=words):
        check_file(claims, replace(spec, **change), tmp_path / "out", InProcess())


def test_a_file_without_claims_makes_no_folder(spec: CheckSpec, tmp_path: Path) -> None:
    path = tmp_path / "claims.txt"
    path.write_text("\n")
    with pytest.raises(FormatError, match="no claims"):
        check_file(path, spec, tmp_path / "out", InProcess())
    assert not (tmp_path / "out").exists()


def test_csv_and_parquet_say_the_same_as_json_lines(
    claims: Path, spec: CheckSpec, tmp_path: Path
) -> None:
    def checked(name: str) -> BatchSummary:
        return check_file(claims, replace(spec, format=name), tmp_path / name, InProcess())

    [lines], [table], [parquet] = (checked(name).paths for name in ("jsonl", "csv", "parquet"))
    results = [json.loads(line) for line in lines.read_text().splitlines()]
    rows = list(csv.DictReader(table.read_text().splitlines()))
    cells = pyarrow.parquet.read_table(parquet).to_pylist()
    assert [row["id"] for row in rows] == [each["id"] for each in results]
    assert [cell["error"] for cell in cells] == [each["error"] for each in results]
    for cell, each in zip(cells, results, strict=True):
        assert (cell["case"] and from_json(cell["case"])) == (
            each["result"] and from_dict(each["result"])
        )
