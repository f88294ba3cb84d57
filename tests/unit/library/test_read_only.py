"""A library in a place that cannot be written: searched by everybody, changed by nobody."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from claimscope.errors import LibraryError, LibraryReadOnlyError
from claimscope.library.local import LocalLibrary
from claimscope.library.protocol import Hit

from .papers import paper

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")

_READ = """
import os, sys
from pathlib import Path
from claimscope.errors import ClaimscopeError
from claimscope.library.local import LocalLibrary
from claimscope.types import Document
# Python itself may lie where the other user cannot read it.
import encodings.ascii, encodings.utf_8, random, tantivy, tempfile
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
library = LocalLibrary(Path(sys.argv[1]))
print("recovery:", library.recovery.sentence)
def look():
    ids = [hit.document_id for hit in library.search(["aspirin"], 9)[0]]
    first = [item.id for item in library.get(sorted(ids)[:1])]
    print(len(library), sorted(ids), first, len(list(library.documents())))
look()
for line in sys.stdin:
    look()
    sys.stdout.flush()
def add():
    library.add([Document("x", "Title")])
def remove():
    library.remove(["a"])
for change in (add, remove, library.rebuild):
    try:
        change()
        print("changed")
    except ClaimscopeError as error:
        print(type(error).__name__, error)
print("problems:", len(list(library.verify())))
library.close()
"""


def read_as_stranger(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(folder)], capture_output=True, text=True, input=""
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def shared() -> Iterator[Path]:
    """A library in a folder that other users can reach."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = Path(place) / "library"
        with LocalLibrary(folder, create=True) as library:
            library.add([paper("a", "Aspirin helps."), paper("b", "Aspirin harms.")])
        yield folder
        protect(folder, 0o755, 0o644)


def protect(folder: Path, folders: int = 0o555, files: int = 0o444) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(folders if path.is_dir() else files)


def test_other_users_search_it_and_cannot_change_it(shared: Path) -> None:
    protect(shared)
    before = {path: path.stat().st_mtime_ns for path in shared.rglob("*")}
    recovery, looked, *refused, problems = read_as_stranger(shared)
    assert (recovery, problems) == ("recovery: ", "problems: 0")
    assert looked == "2 ['a', 'b'] ['a'] 2"
    assert len(refused) == 3
    for sentence in refused:
        assert sentence.startswith(f"LibraryReadOnlyError The library {shared} ")
        assert sentence.count(".") == 1 + str(shared).count(".")
    assert {path: path.stat().st_mtime_ns for path in shared.rglob("*")} == before


def test_opening_it_to_write_is_refused_at_once(shared: Path) -> None:
    protect(shared)
    code = (
        "import os, sys; from pathlib import Path\n"
        "from claimscope.library.local import LocalLibrary\n"
        "if os.getuid() == 0: os.setgid(65534), os.setuid(65534)\n"
        "LocalLibrary(Path(sys.argv[1]), write=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(shared)], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].startswith("claimscope.errors.LibraryReadOnlyError: ")


def test_what_a_killed_writer_left_is_read(shared: Path) -> None:
    """The newest changes are in SQLite's log only, and the index may lack them."""
    code = (
        "import os, sys; from pathlib import Path\n"
        "from claimscope.library.local import LocalLibrary\n"
        "from claimscope.types import Document\n"
        "library = LocalLibrary(Path(sys.argv[1]))\n"
        "library.add([Document('c', 'Aspirin again', '')])\n"
        "os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(shared)]).returncode == 9
    assert (shared / "library.sqlite-wal").stat().st_size > 0
    protect(shared)
    _, looked, *_ = read_as_stranger(shared)
    assert looked.startswith("3 ['a', 'b', 'c']")


def test_a_log_that_cannot_be_read_is_no_reason_to_answer_from_old_papers(shared: Path) -> None:
    with closing(sqlite3.connect(shared / "library.sqlite")) as holding:
        holding.execute("SELECT 1 FROM state").fetchone()
        with LocalLibrary(shared) as library:
            library.add([paper("c", "Aspirin again.")])
        log = (shared / "library.sqlite-wal").read_bytes()
        store = (shared / "library.sqlite").read_bytes()
    (shared / "library.sqlite").write_bytes(store)
    (shared / "library.sqlite-wal").write_bytes(log)
    protect(shared)
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(shared)], capture_output=True, text=True, input=""
    )
    assert "LibraryError: " in done.stderr.splitlines()[-1]
    assert "not finished" in done.stderr.splitlines()[-1]


def test_readers_follow_a_writer_who_may_write(shared: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _READ, str(shared)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        for name in ("c", "d", "e"):
            with LocalLibrary(shared) as library:
                library.add([paper(name, f"Aspirin and {name}.")])
            reader.stdin.write("\n")
            reader.stdin.flush()
            while not (line := reader.stdout.readline()).startswith(f"{ord(name) - 96} ["):
                assert line, "the reader ended"
            assert f"'{name}']" in line
        reader.stdin.close()
        assert reader.wait() == 0


def test_an_index_that_is_behind_is_used_as_it_is(shared: Path) -> None:
    old = shared.parent / "old"
    shutil.copytree(shared / "lexical", old)
    with LocalLibrary(shared) as library:
        library.add([paper("c", "Aspirin again.")])
    shutil.rmtree(shared / "lexical")
    old.rename(shared / "lexical")
    protect(shared)
    recovery, looked, *_ = read_as_stranger(shared)
    assert "read-only" in recovery
    assert looked.startswith("3 ['a', 'b']")


def test_an_index_that_cannot_be_used_is_named(shared: Path) -> None:
    shutil.rmtree(shared / "lexical")
    protect(shared)
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(shared)], capture_output=True, text=True, input=""
    )
    assert "claimscope library rebuild" in done.stderr.splitlines()[-1]
    assert "LibraryReadOnlyError: " in done.stderr.splitlines()[-1]


def test_a_library_of_an_older_version_is_read(shared: Path) -> None:
    with closing(sqlite3.connect(shared / "library.sqlite")) as store:
        for table in ("last_change", "former_documents", "former_originals"):
            store.execute(f"DROP TABLE {table}")
        store.execute("PRAGMA user_version = 4")
    protect(shared)
    _, looked, *_ = read_as_stranger(shared)
    assert looked.startswith("2 ['a', 'b']")


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")
def test_a_read_only_file_system(shared: Path, tmp_path: Path) -> None:
    place = tmp_path / "mounted"
    place.mkdir()
    bind = subprocess.run(["mount", "--bind", str(shared), str(place)], check=False)
    if os.getuid() or bind.returncode:
        pytest.skip("a file system can be mounted only by root")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(place)], check=True)
        with LocalLibrary(place) as library:
            assert len(library) == 2
            assert isinstance(library.search(["helps"], 1)[0][0], Hit)
            with pytest.raises(LibraryReadOnlyError, match="searched but not changed"):
                library.add([paper("c")])
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_it_is_a_library_error() -> None:
    assert issubclass(LibraryReadOnlyError, LibraryError)
