"""`claimscope library watch`, run as a program of its own, killed, and run again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from claimscope.library.local import LocalLibrary
from tests.unit.sources.test_folder import COFFEE, TEA, ris

from .conftest import Run

pytest.importorskip("watchfiles")
_PATIENCE = 120.0


def watching(folder: Path, library: Path, output: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "claimscope", "library", "watch", folder, "-l", library]
    with output.open("ab") as file:
        return subprocess.Popen(
            command,
            stdout=file,
            stderr=file,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            preexec_fn=_listen_to_interrupts,
        )


def _listen_to_interrupts() -> None:
    """Undo what a shell does to programs in the background: they ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until(is_so: Callable[[], bool], output: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while not is_so():
        assert time.monotonic() < end, output.read_text()
        time.sleep(0.2)


def _has_stopped(process: subprocess.Popen[bytes]) -> bool:
    """Ask to stop, again if Python lost the first signal while it was importing."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        return False
    return True


def ids(library: Path) -> list[str]:
    if not (library / "library.sqlite").exists():
        return []
    with LocalLibrary(library) as opened:
        return [paper.id for paper in opened.documents()]


def test_a_folder_is_followed_through_a_kill(tmp_path: Path) -> None:
    folder, library, output = tmp_path / "papers", tmp_path / "library", tmp_path / "output"
    folder.mkdir()
    (folder / "tea.ris").write_text(ris(TEA))
    process = watching(folder, library, output)
    try:
        until(lambda: output.exists() and "1 added" in output.read_text(), output)
        (folder / "coffee.ris").write_text(ris(COFFEE))
        until(lambda: output.read_text().count("1 added") == 2, output)
        assert ids(library) == ["doi:10.1000/coffee", "doi:10.1000/tea"]
    finally:
        process.kill()
        process.wait()

    (folder / "tea.ris").unlink()
    process = watching(folder, library, output)
    try:
        until(lambda: "1 removed" in output.read_text(), output)
        assert ids(library) == ["doi:10.1000/coffee"]
        until(lambda: _has_stopped(process), output)
        assert process.returncode == 130
    finally:
        process.kill()
        process.wait()
    with LocalLibrary(library) as opened:
        assert list(opened.verify()) == []


def test_one_look_ends_by_itself(run: Run, tmp_path: Path) -> None:
    folder, library = tmp_path / "papers", tmp_path / "library"
    folder.mkdir()
    (folder / "tea.ris").write_text(ris(TEA))
    result = run("library", "watch", folder, "--once", "-l", library)
    assert result.out.startswith("1 file read: 1 added, 0 updated")
    assert run("library", "watch", folder, "--once", "-l", library).out == ""
    inside = run("library", "watch", tmp_path, "--once", "-l", library)
    assert inside.code == 2
    assert "lies in the folder" in inside.err
