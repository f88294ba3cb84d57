"""An index that is damaged, or of another library, is noticed and made anew."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from claimscope.errors import LibraryDamagedError
from claimscope.library.lexical import LexicalWriter
from claimscope.library.local import LocalLibrary
from claimscope.library.recovery import Action
from claimscope.library.verify import Fault

from .papers import paper

SEGMENTS = ['{"segments": [{}]}', '{"segments": 3}', '{"segments": [{"segment_id": 3}]}']
JUNK = ["", "{}", "[]", "null", "junk", "[" * 100_000, *SEGMENTS]
MARKS = ['{"format": 2}', '{"format": 2, "sequence": 1e999, "library": "", "revision": ""}']


def filled(folder: Path, *texts: str) -> Path:
    with LocalLibrary(folder, create=True) as library:
        library.add(paper(f"d{number}", text) for number, text in enumerate(texts))
    return folder


def is_mended(folder: Path) -> bool:
    """Open a library twice: the first time mends its index, and the search works."""
    with LocalLibrary(folder) as library:
        found = [hit.document_id for hit in library.search(["aspirin"], 5)[0]]
        action = library.recovery.action
        assert list(library.verify()) == []
    with LocalLibrary(folder) as library:
        assert library.recovery.action is Action.NOTHING
        assert library.rebuild() == 2
    return found == ["d0"] and action is Action.REBUILT


@pytest.mark.parametrize(
    ("name", "content"),
    [("meta.json", junk) for junk in JUNK] + [("applied.json", junk) for junk in [*JUNK, *MARKS]],
)
def test_a_broken_list_in_the_index_is_mended(tmp_path: Path, name: str, content: str) -> None:
    folder = filled(tmp_path / "a", "Aspirin.", "Zinc.")
    (folder / "lexical" / name).write_text(content)
    assert is_mended(folder)


@pytest.mark.parametrize("ending", [".fast", ".fieldnorm", ".idx", ".store", ".term"])
@pytest.mark.parametrize("content", [b"", b"junk\n", bytes(2_000)])
def test_a_broken_file_of_the_index_can_be_mended(
    tmp_path: Path, ending: str, content: bytes
) -> None:
    folder = filled(tmp_path / "a", "Aspirin.", "Zinc.")
    for path in (folder / "lexical").glob(f"*{ending}"):
        path.write_bytes(content)
    assert is_mended(folder)


def test_a_file_in_the_place_of_the_index_is_replaced(tmp_path: Path) -> None:
    folder = filled(tmp_path / "a", "Aspirin.", "Zinc.")
    for name in ("lexical", "lexical.new", "lexical.old"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).write_text("x")
    assert is_mended(folder)


def test_the_index_of_another_library_is_replaced(tmp_path: Path) -> None:
    one = filled(tmp_path / "a", "Aspirin.", "Zinc.")
    other = filled(tmp_path / "b", "Zebra.", "Aspirin.")
    shutil.rmtree(one / "lexical")
    shutil.copytree(other / "lexical", one / "lexical")
    with LocalLibrary(one) as library:
        assert "belongs to another library" in library.recovery.sentence
    with LocalLibrary(one) as library:
        assert library.recovery.action is Action.NOTHING


def test_the_index_of_other_documents_is_replaced(tmp_path: Path) -> None:
    folder = filled(tmp_path / "a", "Aspirin.", "Zinc.")
    mark = folder / "lexical" / "applied.json"
    mark.write_text(json.dumps(json.loads(mark.read_text()) | {"revision": "00"}))
    assert is_mended(folder)


def test_verify_compares_the_text(tmp_path: Path) -> None:
    folder = filled(tmp_path / "a", "Aspirin.", "Zinc.")
    with LocalLibrary(folder) as library:
        mark = json.loads((folder / "lexical" / "applied.json").read_text())
        writer = LexicalWriter(folder / "lexical")
        writer.stage([2], [(2, "Zebra.")], mark["sequence"] + 1, mark["revision"])
        writer.commit()
        writer.close()
        (folder / "lexical" / "applied.json").write_text(json.dumps(mark))
        assert [(each.fault, each.subject) for each in library.verify()] == [(Fault.TEXT, "d1")]


@pytest.mark.parametrize("is_new", [False, True])
def test_an_empty_store_beside_a_full_index_is_refused(tmp_path: Path, is_new: bool) -> None:
    folder = filled(tmp_path / "a", "Aspirin.")
    for path in folder.glob("library.sqlite*"):
        path.unlink()
    (folder / "library.sqlite").touch()
    if is_new:
        shutil.copy(filled(tmp_path / "b") / "library.sqlite", folder)
    with pytest.raises(LibraryDamagedError, match="restore the store"):
        LocalLibrary(folder, create=True)
    shutil.rmtree(folder / "lexical")
    with LocalLibrary(folder, create=True) as library:
        assert len(library) == 0
