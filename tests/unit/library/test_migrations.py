from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from claimscope.errors import LibraryDamagedError, LibraryTooNewError
from claimscope.library import migrations
from claimscope.library.local import LocalLibrary

from .papers import paper


def execute(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "library.sqlite")) as connection:
        connection.execute(statement)
        connection.commit()


def test_a_newer_library_is_refused_kindly(folder: Path) -> None:
    LocalLibrary(folder, create=True).close()
    execute(folder, "PRAGMA user_version = 999")
    with pytest.raises(LibraryTooNewError, match=r"newer Claimscope.*pip install --upgrade"):
        LocalLibrary(folder)


@pytest.mark.parametrize("version", [0, 1])
def test_a_file_of_another_program_is_refused_and_left_alone(folder: Path, version: int) -> None:
    folder.mkdir()
    execute(folder, "CREATE TABLE theirs (x)")
    execute(folder, f"PRAGMA user_version = {version}")
    before = (folder / "library.sqlite").read_bytes()
    with pytest.raises(LibraryDamagedError, match="another program"):
        LocalLibrary(folder, create=True)
    assert (folder / "library.sqlite").read_bytes() == before


def test_an_older_library_is_brought_up_to_date(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalLibrary(folder, create=True) as library:
        library.add([paper("a", "Aspirin.")])
        revision = library.revision
    later = (*migrations.MIGRATIONS, ("CREATE TABLE later (id INTEGER PRIMARY KEY)",))
    monkeypatch.setattr(migrations, "MIGRATIONS", later)
    with LocalLibrary(folder) as library:
        assert library.revision == revision
        assert library.add([paper("b", "Text.")]).added == 1
    execute(folder, "INSERT INTO later VALUES (1)")


def test_a_failed_step_leaves_the_library_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    LocalLibrary(folder, create=True).close()
    with monkeypatch.context() as patch:
        wrong = ("CREATE TABLE later (id)", "CREATE TABLE documents (id)")
        patch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, wrong))
        with pytest.raises(LibraryDamagedError):
            LocalLibrary(folder)
    with LocalLibrary(folder) as library:
        assert list(library.verify()) == []
    execute(folder, "CREATE TABLE later (id)")
