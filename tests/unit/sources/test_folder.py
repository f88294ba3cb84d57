"""A library keeps step with a folder: files come, change, move, break and go."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.errors import InputError
from claimscope.library.importer import import_files
from claimscope.library.local import LocalLibrary
from claimscope.sources.folder import FolderReport, FolderSync


def ris(*titles: str) -> str:
    return "".join(
        f"TY  - JOUR\nTI  - {title}\nDO  - 10.1000/{title.split()[0].lower()}\n"
        f"AB  - We studied it. {title} is the result.\nER  - \n\n"
        for title in titles
    )


TEA, COFFEE = "Tea shortens the common cold in adults", "Coffee keeps students awake at night"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LocalLibrary]:
    with LocalLibrary(tmp_path / "library", create=True) as made:
        yield made


class Folder:
    def __init__(self, library: LocalLibrary, path: Path) -> None:
        self.library, self.path, self.place = library, path, path.parent / "state.json"
        self.clock = 1_700_000_000
        path.mkdir()

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)
        self.clock += 1
        os.utime(self.path / name, (self.clock, self.clock))

    def look(self, allow_empty: bool = False) -> FolderReport:
        return FolderSync(self.library, self.path, self.place, allow_empty).look()

    @property
    def ids(self) -> list[str]:
        return [paper.id for paper in self.library.documents()]


@pytest.fixture
def folder(library: LocalLibrary, tmp_path: Path) -> Folder:
    return Folder(library, tmp_path / "papers")


def test_files_come_change_and_go(folder: Folder) -> None:
    folder.write("a.ris", ris(TEA, COFFEE))
    assert folder.look().report.added == 2
    quiet = folder.look()
    assert (quiet.files, quiet.removed) == (0, 0)
    folder.write("a.ris", ris(TEA.replace("adults", "children")))
    changed = folder.look()
    assert (changed.files, changed.report.updated, changed.removed) == (1, 1, 1)
    assert folder.library.get(["doi:10.1000/tea"])[0].title.endswith("children")
    folder.write("b.bib", "@article{c, title={Coffee and sleep}, doi={10.1000/coffee}}")
    folder.look()
    (folder.path / "a.ris").unlink()
    assert folder.look().removed == 1
    assert folder.ids == ["doi:10.1000/coffee"]


def test_a_record_stays_while_another_file_has_it(folder: Folder) -> None:
    folder.write("a.ris", ris(TEA))
    folder.write("b.ris", ris(TEA, COFFEE))
    folder.look()
    (folder.path / "b.ris").unlink()
    assert folder.look().removed == 1
    assert folder.ids == ["doi:10.1000/tea"]


def test_a_renamed_file_changes_nothing(folder: Folder) -> None:
    folder.write("a.ris", ris(TEA))
    folder.look()
    revision = folder.library.revision
    (folder.path / "a.ris").rename(folder.path / "z.ris")
    done = folder.look()
    assert (done.report.unchanged, done.removed) == (1, 0)
    assert folder.library.revision == revision


def test_a_broken_file_loses_nothing(folder: Folder) -> None:
    folder.write("a.ris", ris(TEA))
    folder.look()
    folder.write("a.ris", "TY  - JOUR\nAU  - Nobody\nER  - \n")
    broken = folder.look()
    assert [failure.place for failure in broken.failures] == [f"{folder.path / 'a.ris'}:1"]
    assert folder.ids == ["doi:10.1000/tea"]
    folder.write("a.ris", ris(COFFEE))
    assert folder.look().removed == 1
    assert folder.ids == ["doi:10.1000/coffee"]


def test_papers_of_the_user_and_of_no_file_stay(folder: Folder, tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text(json.dumps({"id": "mine", "title": TEA, "doi": "10.1000/tea"}) + "\n")
    folder.write("a.ris", ris(TEA, COFFEE))
    folder.look()
    import_files(folder.library, [own])
    (folder.path / "a.ris").unlink()
    folder.write("c.ris", ris("Cocoa lowers blood pressure in adults"))
    folder.look()
    assert folder.ids == ["doi:10.1000/cocoa", "mine"]
    assert list(folder.library.verify()) == []


def test_an_empty_folder_is_taken_for_a_missing_disk(folder: Folder) -> None:
    folder.write("a.ris", ris(TEA))
    folder.look()
    (folder.path / "a.ris").unlink()
    with pytest.raises(InputError, match="is empty, though it had 1 file"):
        folder.look()
    assert folder.ids == ["doi:10.1000/tea"]
    assert folder.look(allow_empty=True).removed == 1
    folder.path.rmdir()
    with pytest.raises(InputError, match="There is no folder"):
        folder.look()


def test_a_lost_state_is_made_again(folder: Folder) -> None:
    folder.write("a.ris", ris(TEA))
    folder.look()
    folder.place.write_text("{")
    assert folder.look().report.unchanged == 1
    folder.write("a.ris", ris(COFFEE))
    assert folder.look().removed == 1
