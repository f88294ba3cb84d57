from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from claimscope.library.local import LocalLibrary
from claimscope.library.recovery import Action

from .papers import paper


def segment_file(index: Path, ending: str) -> Path:
    return next(path for path in sorted(index.iterdir()) if path.suffix == ending)


def truncate(index: Path) -> None:
    path = segment_file(index, ".idx")
    path.write_bytes(path.read_bytes()[:-20])


def flip_a_bit(index: Path) -> None:
    path = segment_file(index, ".fast")
    content = bytearray(path.read_bytes())
    content[0] ^= 1
    path.write_bytes(bytes(content))


def write_nonsense(index: Path) -> None:
    (index / "meta.json").write_text("nonsense")


def lose_segment(index: Path) -> None:
    segment_file(index, ".term").unlink()


def lose_note(index: Path) -> None:
    (index / "applied.json").unlink()


def change_format(index: Path) -> None:
    (index / "applied.json").write_text('{"format": 99, "sequence": 3}')


def run_ahead(index: Path) -> None:
    note = json.loads((index / "applied.json").read_text())
    (index / "applied.json").write_text(json.dumps(note | {"sequence": 999}))


def become_a_file(index: Path) -> None:
    shutil.rmtree(index)
    index.write_text("a file")


def leave_half_a_rebuild(index: Path) -> None:
    index.rename(index.with_suffix(".old"))
    index.with_suffix(".new").mkdir()


@pytest.mark.parametrize(
    "damage",
    [
        shutil.rmtree,
        truncate,
        flip_a_bit,
        write_nonsense,
        lose_segment,
        lose_note,
        change_format,
        run_ahead,
        become_a_file,
        leave_half_a_rebuild,
    ],
)
def test_a_damaged_index_is_rebuilt(folder: Path, damage: Callable[[Path], None]) -> None:
    with LocalLibrary(folder, create=True) as library:
        library.add(paper(f"d{number}", f"Aspirin word{number}.") for number in range(3))
        revision = library.revision
    damage(folder / "lexical")
    with LocalLibrary(folder) as library:
        assert library.recovery.action is Action.REBUILT
        assert "rebuilt from 3 documents" in library.recovery.sentence
        assert library.revision == revision
        assert library.search(["word2"], 1)[0][0].document_id == "d2"
        assert list(library.verify()) == []
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == ["lexical"]
    with LocalLibrary(folder) as library:
        assert library.recovery.sentence == ""


def test_an_index_left_behind_catches_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalLibrary(folder, create=True) as library:
        library.add([paper("a", "Aspirin."), paper("b", "Aspirin.")])
        with monkeypatch.context() as patch:
            patch.setattr("claimscope.library.recovery.stage", lambda *_: 0)
            library.add([paper("a", "Ibuprofen."), paper("c", "Aspirin.")])
            library.remove(["b"])
    with LocalLibrary(folder) as library:
        assert library.recovery.action is Action.CAUGHT_UP
        assert "caught up" in library.recovery.sentence
        assert [hit.document_id for hit in library.search(["aspirin"], 5)[0]] == ["c"]
        assert [hit.document_id for hit in library.search(["ibuprofen"], 5)[0]] == ["a"]
        assert list(library.verify()) == []


def test_changes_committed_but_not_noted_are_applied_once(folder: Path) -> None:
    with LocalLibrary(folder, create=True) as library:
        library.add([paper("a", "Aspirin.")])
        noted = (folder / "lexical" / "applied.json").read_text()
        library.add([paper("b", "Aspirin.")])
        library.remove(["a"])
    (folder / "lexical" / "applied.json").write_text(noted)
    with LocalLibrary(folder) as library:
        assert library.recovery.action is Action.CAUGHT_UP
        assert list(library.verify()) == []


def test_readers_leave_the_index_to_the_process_that_writes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalLibrary(folder, create=True, write=True) as writer:
        writer.add([paper("a", "Aspirin.")])
        monkeypatch.setattr("claimscope.library.recovery.stage", lambda *_: 0)
        writer.add([paper("b", "Aspirin.")])
        with LocalLibrary(folder) as reader:
            assert reader.recovery.action is Action.DEFERRED
            assert "another process is writing" in reader.recovery.sentence
            assert [hit.document_id for hit in reader.search(["aspirin"], 5)[0]] == ["a"]
