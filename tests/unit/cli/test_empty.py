"""A library that nothing came into: not made in vain, and never a silent answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimscope.checker import Checker
from claimscope.library.local import LocalLibrary

from .conftest import Run

CLAIM = "Dexamethasone lowers mortality in ventilated COVID-19 patients"


@pytest.mark.parametrize(
    "words",
    [("nosuch.ris",), ("nosuch.ris", "--format", "ris"), ("x.ris", "--format", "nosuch")],
)
def test_a_failed_import_creates_nothing(run: Run, home: Path, words: tuple[str, ...]) -> None:
    failed = run("library", "add", *words)
    assert failed.code != 0
    assert list(home.iterdir()) == []
    checked = run("check", CLAIM, "--json")
    assert "demonstration library" in checked.err
    assert json.loads(checked.out)["candidates"]


def test_a_failed_import_leaves_an_empty_folder_of_the_users(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "mine"
    place.mkdir()
    assert run("library", "add", "nosuch.ris", "-l", place).code == 1
    assert list(place.iterdir()) == []


def test_a_failed_import_leaves_a_library_that_was_there(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "mine"
    LocalLibrary(place, create=True).close()
    assert run("library", "add", "nosuch.ris", "-l", place).code == 1
    assert run("library", "stats", "-l", place).code == 0


@pytest.mark.parametrize(
    "words",
    [("check", CLAIM), ("check", CLAIM, "--json"), ("search", "aspirin"), ("why", "x", "y")],
)
def test_an_empty_library_says_that_it_is_empty(
    run: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    place = tmp_path / "empty"
    LocalLibrary(place, create=True).close()
    result = run(*words, "-l", place)
    assert (result.code, result.out) == (2, "")
    assert f"The library {place} is empty" in result.err
    assert "claimscope library add" in result.err
    assert "--library demo" in result.err


def test_a_checker_on_an_empty_library_says_so(tmp_path: Path) -> None:
    with LocalLibrary(tmp_path / "empty", create=True) as library:
        case = Checker(library, "lexical-baseline").check(CLAIM)
    assert any("is empty" in notice for notice in case.notices)
