"""Files are read in a process of their own, which can be stopped whatever it does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from claimscope.errors import UnknownNameError
from claimscope.ingest import Failure, Skipped, read, read_in_child
from claimscope.ingest.limits import ReadingLimits
from claimscope.types import Document
from tests import hostile

from .helpers import make_pdf, write

QUICK = ReadingLimits(record_seconds=1.0, wall_factor=60.0, memory_bytes=600_000_000)
HUNGRY = ReadingLimits(record_seconds=30.0, wall_factor=60.0, memory_bytes=600_000_000)
IMPATIENT = ReadingLimits(record_seconds=10.0, wall_factor=0.3)

posix = pytest.mark.skipif(sys.platform == "win32", reason="lists processes with ps")


@pytest.fixture(autouse=True)
def _misbehaving(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile.install(tmp_path_factory.mktemp("site"), monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "papers"
    place.mkdir()
    write(place, "a.ris", "TY  - JOUR\nTI  - First\nER  - \n")
    write(place, "z.ris", "TY  - JOUR\nTI  - Last\nER  - \n")
    return place


def outcome(*paths: Path, limits: ReadingLimits = QUICK) -> tuple[list[str], list[Failure]]:
    with closing(read_in_child(paths, limits=limits)) as stream:
        items = list(stream)
    titles = [item.title for item in items if isinstance(item, Document)]
    return titles, [item for item in items if isinstance(item, Failure)]


@pytest.mark.parametrize(
    ("what", "limits", "why"),
    [
        ("loop", QUICK, "1 second of computing time"),
        ("match", QUICK, "1 second of computing time"),
        ("sleep", IMPATIENT, "nothing was read of it for 3 seconds"),
        ("grow", HUNGRY, "more memory"),
        ("exit", QUICK, "exit code 5"),
        ("crash", QUICK, "SIGSEGV"),
        ("raise", QUICK, "ZeroDivisionError"),
    ],
)
def test_a_file_that_stops_its_reader_is_one_failure_and_the_others_are_read(
    folder: Path, what: str, limits: ReadingLimits, why: str
) -> None:
    bad = write(folder, "bad.jsonl", hostile.lines("before", what, "after"))
    titles, (failure,) = outcome(folder, limits=limits)
    assert titles == ["First", "before", what, "Last"]
    assert (failure.file, failure.line) == (str(bad), None)
    assert why in failure.reason
    assert failure.reason.endswith(".")


def test_a_file_may_not_take_too_long_altogether(folder: Path) -> None:
    # Each record is within its limit; the file is not.
    text = "One. Two. " * 900
    lines = "".join(f'{{"title": "t{n}", "abstract": "{text}"}}\n' for n in range(5000))
    write(folder, "long.jsonl", lines)
    limits = ReadingLimits(file_seconds=0.5, seconds_per_megabyte=0.0, wall_factor=60.0)
    titles, (failure,) = outcome(folder, limits=limits)
    assert 0 < len(titles) - 2 < 5000
    assert titles[-1] == "Last"
    assert "0.5 seconds of computing time" in failure.reason


def test_what_libraries_print_does_not_disturb(folder: Path) -> None:
    write(folder, "b.jsonl", hostile.lines("babble", "after"))
    assert outcome(folder) == (["First", "babble", "after", "Last"], [])


def test_the_child_gives_what_reading_here_gives(folder: Path, tmp_path: Path) -> None:
    record = '{"id": "x", "title": "\\u00e9\\ud83d\\ude00", "abstract": "A b. C d.", "year": 2001,'
    record += ' "authors": ["Doe, J"], "retracted": true}\n{"no": 1}\n'
    write(folder, "b.jsonl", record)
    write(folder, "c.pdf", make_pdf([(20, "A title in large print"), (10, "Abstract"), (9, "We.")]))
    write(folder, "notes.txt", "nothing")
    name = os.fsdecode(b"caf\xe9.ris")
    write(folder, name, "TY  - JOUR\nAU  - Nobody\nER  - \n")
    begun: list[tuple[str, str]] = []
    paths = [folder, tmp_path / "missing.ris", folder / "notes.txt", f"{tmp_path}/*.nothing"]
    expected = list(read(paths, on_file=lambda path, form: begun.append((str(path), form.name))))
    here, begun = begun, []
    items = list(read_in_child(paths, on_file=lambda path, f: begun.append((str(path), f.name))))
    assert items == expected
    assert begun == here
    assert {type(item) for item in items} == {Document, Failure, Skipped}


def test_a_format_can_be_forced_and_an_unknown_one_is_refused_at_once(folder: Path) -> None:
    (item,) = read_in_child([folder / "a.ris"], "bibtex")
    assert isinstance(item, Failure)
    with pytest.raises(UnknownNameError):
        read_in_child([folder], "nonsense")


def test_one_process_reads_all_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    original = subprocess.Popen

    def count(*words: object, **options: object) -> object:
        started.append(words)
        return original(*words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", count)
    assert len(outcome(folder)[0]) == 2
    assert len(started) == 1


def test_whoever_waits_can_end_it(folder: Path) -> None:
    write(folder, "bad.jsonl", hostile.lines("sleep"))
    titles: list[str] = []
    asked: list[float] = []

    def go_on() -> bool:
        # On a busy machine it takes a while until the reader has begun.
        if len(titles) == 2:
            asked.append(time.monotonic())
        return len(asked) < 3

    with closing(read_in_child([folder], go_on=go_on)) as stream:
        for item in stream:
            if isinstance(item, Document):
                titles.append(item.title)  # noqa: PERF401 - `go_on` counts them meanwhile
    assert titles == ["First", "sleep"]
    assert time.monotonic() - asked[0] < 5


@posix
def test_closing_the_stream_ends_the_process(folder: Path) -> None:
    write(folder, "bad.jsonl", hostile.lines("match"))
    stream = read_in_child([folder / "bad.jsonl"])
    next(stream)
    (child,) = hostile.readers_of(os.getpid())
    stream.close()
    assert not hostile.is_running(child)


@posix
def test_the_process_does_not_outlive_a_killed_parent(folder: Path) -> None:
    bad = write(folder, "bad.jsonl", hostile.lines("sleep"))
    program = (
        "import sys; from claimscope.ingest import read_in_child\n"
        "for item in read_in_child(sys.argv[1:]): print(item.title, flush=True)"
    )
    words = [sys.executable, "-c", program, str(bad)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "sleep\n"
        (child,) = hostile.readers_of(parent.pid)
        parent.kill()
    deadline = time.monotonic() + 5
    while hostile.is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not hostile.is_running(child)


@posix
def test_a_child_that_is_far_ahead_waits(folder: Path) -> None:
    text = "One. " * 1_000
    lines = "".join(f'{{"title": "t{n}", "abstract": "{text}"}}\n' for n in range(8_000))
    with closing(read_in_child([write(folder, "b.jsonl", lines)])) as stream:
        next(stream)
        time.sleep(3.0)
        (child,) = hostile.readers_of(os.getpid())
        os.kill(child, 9)
        items = list(stream)
    assert len(items) < 4_000
    assert "SIGKILL" in items[-1].reason  # type: ignore[union-attr]


@pytest.fixture
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder with modules that must not be loaded, and relative names in it."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "lxml.py", "raise SystemExit('loaded from the working folder')")
    write(tmp_path, "p.ris", "TY  - JOUR\nTI  - Relative\nER  - \n")


@pytest.mark.usefixtures("_elsewhere")
def test_modules_of_the_working_folder_are_not_loaded() -> None:
    assert outcome(Path("p.ris")) == (["Relative"], [])
