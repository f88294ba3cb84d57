"""One clear sentence for everything that can be wrong with the place of a library."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.errors import LibraryDamagedError, LibraryError, LibraryNotFoundError
from claimscope.library.local import LocalLibrary

from .papers import paper


def test_no_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryNotFoundError, match=r"no library in .*nothing.*library add"):
        LocalLibrary(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_file_instead_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for create in (True, False):
        with pytest.raises(LibraryError, match="is a file"):
            LocalLibrary(tmp_path / "file", create=create)


def test_a_folder_with_other_things_in_it(tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("x")
    with pytest.raises(LibraryError, match="holds other files"):
        LocalLibrary(tmp_path, create=True)


@pytest.mark.parametrize("keep", [0.5, 0.05])
def test_a_truncated_store(folder: Path, keep: float) -> None:
    with LocalLibrary(folder, create=True) as library:
        library.add(paper(f"d{number}", "Text. " * 50) for number in range(300))
    path = folder / "library.sqlite"
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(LibraryDamagedError, match=r"cannot be read.*backup"):
        LocalLibrary(folder)


def test_a_store_that_is_no_database(folder: Path) -> None:
    folder.mkdir()
    (folder / "library.sqlite").write_text("these are not the documents you look for " * 100)
    with pytest.raises(LibraryDamagedError, match="cannot be read"):
        LocalLibrary(folder)


_UNPRIVILEGED = """
import os, sys
from pathlib import Path
from claimscope.errors import LibraryError
from claimscope.library.local import LocalLibrary
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    LocalLibrary(Path(sys.argv[1]), create=True)
except LibraryError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
@pytest.mark.parametrize("exists", [True, False])
def test_no_permission(exists: bool) -> None:
    """A place that cannot be written, and a library that cannot even be read."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "library"
        if exists:
            with LocalLibrary(folder, create=True) as library:
                library.add([paper("a", "Text.")])
        for path in (*folder.rglob("*"), folder, Path(place)):
            if path.exists():
                path.chmod(0o555 if path.is_dir() else 0o000)
        output = subprocess.run(
            [sys.executable, "-c", _UNPRIVILEGED, str(folder)], capture_output=True, text=True
        )
        for path in (Path(place), folder, *folder.rglob("*")):
            if path.is_dir():
                path.chmod(0o700)
    assert "lack of permission" in output.stdout, output.stderr


# A full disk: a small file system where the test may mount one, else a limit on the size of files.

_FILL = """
import random, resource, sys
from pathlib import Path
from claimscope.errors import LibraryFullError
from claimscope.library.local import LocalLibrary
from claimscope.types import Document
folder, limit = Path(sys.argv[1]), int(sys.argv[2])
library = LocalLibrary(folder, create=True)
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
random.seed(1)
safe = 0
try:
    for start in range(0, 100_000, 200):
        library.add(
            Document(f"d{n}", f"word{n}", " ".join(hex(random.getrandbits(40)) for _ in range(60)))
            for n in range(start, start + 200)
        )
        safe = start + 200
except LibraryFullError as error:
    print(safe, len(library), str(error).count("."), sep="\\n")
    library.search(["word1"], 1)
"""


@pytest.fixture(params=[700, 3_000, 8_100])
def small_disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A file system of some hundred kilobytes; `grow` makes it large."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={request.param}k", "tmpfs", str(place)]
    if sys.platform != "linux" or os.getuid() or subprocess.run(mount, check=False).returncode:
        pytest.skip("a file system of its own can be mounted only by root on Linux")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(folder: Path, limit: int) -> int:
    """Fill the disk from another process and give the number of acknowledged documents."""
    command = [sys.executable, "-c", _FILL, str(folder), str(limit)]
    output = subprocess.run(command, capture_output=True, text=True)
    assert output.returncode == 0, output.stderr
    safe, held, _ = map(int, output.stdout.split())
    assert held >= safe
    return safe


def check_sound(folder: Path, safe: int) -> None:
    with LocalLibrary(folder) as library:
        assert len(library) >= safe
        assert list(library.verify()) == []
        for number in range(0, safe, 50):
            assert library.search([f"word{number}"], 1)[0][0].document_id == f"d{number}"
        assert library.add([paper("new", "Text.")]).added == 1


def test_a_full_disk_is_one_error_and_no_damage(small_disk: Path) -> None:
    safe = fill(small_disk / "library", 0)
    # Without space the library still opens and answers.
    with LocalLibrary(small_disk / "library") as library:
        assert len(library) >= safe
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    check_sound(small_disk / "library", safe)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no file sizes")
def test_a_limit_on_file_sizes_is_like_a_full_disk(folder: Path) -> None:
    check_sound(folder, fill(folder, 500_000))
