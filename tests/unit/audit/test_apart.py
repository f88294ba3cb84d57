"""Manuscripts are read in another process, which may end as it likes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from claimscope.audit.apart import read_apart
from claimscope.audit.readers import read_manuscript
from claimscope.errors import InputError
from claimscope.ingest.limits import ReadingLimits

TEXT = """# Aspirin

It lowers risk [@a; @b, p. 3]. Lee (2004) agrees [1, 3-5]. Ünï 😀.

## References

1. Lee A. On aspirin. 2004. doi:10.1000/a
"""
_MISBEHAVE = """
import os, time
import claimscope.audit.readers.markdown as reader

def spin():
    while True:
        pass

def grow():
    kept = []
    while True:
        kept.append(bytearray(1 << 20))

ACTIONS = {
    "loop": spin,
    "sleep": lambda: time.sleep(600),
    "grow": grow,
    "exit": lambda: os._exit(5),
    "crash": lambda: os.kill(os.getpid(), 11),
    "babble": lambda: print("nonsense on standard output", flush=True),
}
original = reader.read

def read(path):
    ACTIONS.get(path.read_text().strip(), lambda: None)()
    return original(path)

reader.read = read
"""
LIMITS = ReadingLimits(file_seconds=1.0, wall_factor=20.0, memory_bytes=600_000_000)


@pytest.fixture(autouse=True)
def _misbehaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_MISBEHAVE)
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


@pytest.mark.parametrize("name", ["a.md", "a.tex"])
def test_it_gives_what_reading_here_gives(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(TEXT, "utf-8")
    assert read_apart(path) == read_manuscript(path)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("loop", "took more than 1 second"),
        ("grow", "stopped its reader"),
        ("exit", "stopped its reader \\(exit code 5\\)"),
        ("crash", "stopped its reader \\(SIGSEGV\\)"),
    ],
)
def test_a_file_that_stops_its_reader_is_one_sentence(
    tmp_path: Path, what: str, words: str
) -> None:
    path = tmp_path / "a.md"
    path.write_text(what)
    with pytest.raises(InputError, match=words):
        read_apart(path, LIMITS)


def test_a_reader_that_hangs_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("sleep")
    began = time.monotonic()
    with pytest.raises(InputError, match="took more than 1 second"):
        read_apart(path, ReadingLimits(file_seconds=1.0, wall_factor=1.0))
    assert time.monotonic() - began < 60


def test_what_libraries_print_does_not_disturb(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("babble")
    assert read_apart(path).blocks[0].text == "babble"


def test_its_reasons_are_those_of_the_readers(tmp_path: Path) -> None:
    for name, content, words in (
        ("a.odd", b"x", "There is no reader for manuscripts"),
        ("a.xml", b"<a>", "cannot be read as XML"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=words):
            read_apart(tmp_path / name)
    with pytest.raises(InputError, match="There is no file"):
        read_apart(tmp_path / "none.md")
