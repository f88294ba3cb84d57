"""A hostile file among good ones, on the command line; and an import that is stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from claimscope.ingest import supervisor
from claimscope.ingest.limits import ReadingLimits
from tests import hostile

from .conftest import Run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    hostile.install(tmp_path / "site", monkeypatch)
    place = tmp_path / "papers"
    place.mkdir()
    (place / "a.ris").write_text("TY  - JOUR\nTI  - First\nER  - \n")
    (place / "z.ris").write_text("TY  - JOUR\nTI  - Last\nER  - \n")
    return place


@pytest.mark.parametrize("what", ["match", "exit", "grow"])
def test_a_hostile_file_is_named_and_the_others_are_added(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    limits = ReadingLimits(record_seconds=1.0, wall_factor=60.0, memory_bytes=600_000_000)
    monkeypatch.setattr(supervisor, "LIMITS", limits)
    (folder / "bad.jsonl").write_text(hostile.lines("Before", what, "After"))
    result = run("library", "add", folder)
    assert "3 files: 4 added" in result.out
    assert "1 failed" in result.out
    [line] = result.err.splitlines()
    assert line.startswith(f"{folder / 'bad.jsonl'}: ")
    assert "The library is sound: 4 documents" in run("library", "verify").out


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("what", ["sleep", "match"])
def test_a_request_to_stop_ends_an_import_whose_reader_hangs(
    folder: Path, tmp_path: Path, run: Run, number: signal.Signals, what: str
) -> None:
    ready = tmp_path / "ready"
    (folder / "bad.jsonl").write_text(hostile.lines(what))
    program = (
        "import pathlib, sys; from claimscope.library import importer; from claimscope.cli.app "
        "import main; begin = importer._Sorting.begin\n"
        "def noted(self, path, form):\n"
        "    begin(self, path, form)\n"
        f"    if path.name == 'bad.jsonl': pathlib.Path({str(ready)!r}).touch()\n"
        "importer._Sorting.begin = noted; main()"
    )
    place = tmp_path / "lib"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "library", "add", str(folder), "-l", str(place)],
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts the tests in the background makes them deaf to this signal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not ready.exists() and process.poll() is None:
        time.sleep(0.01)
    (reader,) = hostile.readers_of(process.pid)
    begun = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - begun < 5
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert not hostile.is_running(reader)
