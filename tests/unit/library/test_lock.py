from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from claimscope.errors import LibraryLockedError
from claimscope.library.local import LocalLibrary

from .papers import paper

_HOLD = """
import sys, time
from pathlib import Path
from claimscope.library.local import LocalLibrary
with LocalLibrary(Path(sys.argv[1]), create=True, write=True):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the writer's lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(folder)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_second_writer_is_told_who_writes(folder: Path, holder: subprocess.Popen[str]) -> None:
    with LocalLibrary(folder) as library:
        with pytest.raises(LibraryLockedError, match=f"process {holder.pid}\\)"):
            library.add([paper("a", "Text.")])
        assert library.search(["text"], 1) == [[]]
    with pytest.raises(LibraryLockedError):
        LocalLibrary(folder, write=True)


def test_the_lock_of_a_killed_process_is_free(folder: Path, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with LocalLibrary(folder, write=True) as library:
        assert library.add([paper("a", "Text.")]).added == 1


def test_writers_may_take_turns(folder: Path, opened: LocalLibrary) -> None:
    with LocalLibrary(folder) as other:
        opened.add([paper("a", "Aspirin.")])
        other.add([paper("b", "Aspirin.")])
        opened.add([paper("c", "Aspirin.")])
        assert len(other) == 3
        assert len(other.search(["aspirin"], 5)[0]) == 3
        assert list(other.verify()) == []


def test_write_holds_the_lock_until_closing(folder: Path) -> None:
    with LocalLibrary(folder, create=True, write=True) as library:
        library.add([paper("a", "Text.")])
        with (
            LocalLibrary(folder) as other,
            pytest.raises(LibraryLockedError, match=str(os.getpid())),
        ):
            other.remove(["a"])
    with LocalLibrary(folder) as other:
        assert other.remove(["a"]) == 1


def test_a_failed_opening_leaves_no_lock(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    with LocalLibrary(folder, create=True):
        pass
    with monkeypatch.context() as patch:
        patch.setattr("claimscope.library.recovery.recover", fail)
        with pytest.raises(RuntimeError):
            LocalLibrary(folder, write=True)
    LocalLibrary(folder, write=True).close()
