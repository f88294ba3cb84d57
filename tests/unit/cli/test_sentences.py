"""Everything that goes wrong is one sentence, before work is done in vain."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import claimscope
from claimscope.checker import Checker
from claimscope.errors import ClaimError
from claimscope.library.local import LocalLibrary

from .conftest import Run

CLAIM = "Dexamethasone lowers mortality in ventilated COVID-19 patients"


@pytest.mark.parametrize("name", ["nowhere/report.html", "folder"])
def test_a_report_that_cannot_be_written_fails_before_the_run(
    run: Run, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()

    def never(*_: object) -> None:
        raise AssertionError("the run began")

    monkeypatch.setattr("claimscope.cli.evaluate._experiments", never)
    result = run("evaluate", "--dataset", "scifact", "--report", tmp_path / name)
    assert (result.code, result.out) == (2, "")
    assert len(result.err.splitlines()) == 1
    assert f"Cannot write {tmp_path / name}" in result.err


@pytest.mark.parametrize("option", ["--failures"])
def test_failures_that_cannot_be_written_fail_before_the_import(
    run: Run, tmp_path: Path, home: Path, option: str
) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"id": "a", "title": "A", "abstract": "Text."}\n')
    result = run("library", "add", source, option, tmp_path / "nowhere" / "x")
    assert (result.code, result.out) == (2, "")
    assert "Cannot write" in result.err
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("claim", [None, 7, b"Aspirin thins blood.", ["Aspirin thins blood."]])
def test_a_claim_that_is_no_text(library: LocalLibrary, claim: object) -> None:
    checker = Checker(library, "lexical-baseline")
    with pytest.raises(ClaimError, match="A claim is text"):
        checker.check(claim)  # type: ignore[arg-type]
    with pytest.raises(ClaimError, match="A claim is text"):
        checker.why(claim, "aspirin")  # type: ignore[arg-type]


_STRANGER = """
import os, sys, tempfile
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from claimscope.cli.app import main
home, sys.argv = os.environ["HOME"], ["claimscope", *sys.argv[1:]]
# Python itself may lie where the other user cannot read it, so all is imported before.
with tempfile.TemporaryDirectory() as os.environ["HOME"], suppress(SystemExit):
    with redirect_stderr(StringIO()), redirect_stdout(StringIO()):
        main()
os.environ["HOME"] = home
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
main()
"""


def others_can_read(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in path.parents)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
@pytest.mark.skipif(
    os.getuid() == 0 and not others_can_read(Path(claimscope.__file__)),
    reason="the package lies where no other user can read it",
)
@pytest.mark.parametrize("readable", [True, False])
@pytest.mark.parametrize(
    "words",
    [
        ("search", "aspirin"),
        ("library", "add", "SOURCE"),
        ("check", CLAIM, "-p", "lexical-baseline"),
    ],
)
def test_a_home_that_cannot_be_written(words: tuple[str, ...], readable: bool) -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        home = Path(place) / "home"
        home.mkdir()
        source = Path(place) / "a.jsonl"
        source.write_text('{"id": "a", "title": "A", "abstract": "Text."}\n')
        home.chmod(0o555 if readable else 0o000)
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("XDG_")
        } | {"HOME": str(home)}
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                _STRANGER,
                *(str(source) if w == "SOURCE" else w for w in words),
            ],
            capture_output=True,
            text=True,
            env=environment,
        )
        home.chmod(0o755)
        assert list(home.iterdir()) == []
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("claimscope: ")
    assert str(home) in done.stderr
    assert "ermission" in done.stderr


def test_an_error_of_the_system_is_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(*_: object) -> None:
        (tmp_path / "nowhere" / "file").write_text("x")

    monkeypatch.setattr("claimscope.cli.opening.open_library", fails)
    result = run("search", "aspirin", "-l", tmp_path)
    assert result.code == 2
    [line] = result.err.splitlines()
    assert line == f"claimscope: No such file or directory: {tmp_path / 'nowhere' / 'file'}."
