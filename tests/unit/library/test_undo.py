"""Undo gives back what was there before the last change, whatever the change was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.errors import InputError
from claimscope.library.local import LocalLibrary
from claimscope.library.undo import Undone
from claimscope.types import Document

from .papers import paper
from .test_merging import BY_DOI, BY_PMID, BY_TITLE


def state(library: LocalLibrary) -> tuple[object, ...]:
    """Everything that a later import or search depends on."""
    originals = library._store.rows(
        "SELECT id, kept_id, reason, title, abstract, spans, meta, source, hex(content_hash)"
        " FROM originals ORDER BY id"
    )
    keys = library._store.rows("SELECT id, doi, pmid, title_key FROM documents ORDER BY id")
    return library.revision, list(library.documents()), originals, keys


def test_an_addition_is_taken_back(opened: LocalLibrary) -> None:
    opened.add([paper("a", "Aspirin helps.")])
    before = state(opened)
    opened.add([paper("b", "Aspirin harms."), paper("a", "Aspirin is old.")])
    undone = opened.undo()
    assert (undone.kind, undone.removed, undone.reverted, undone.restored) == ("add", 1, 1, 0)
    assert state(opened) == before
    assert [hit.document_id for hit in opened.search(["aspirin"], 5)[0]] == ["a"]
    assert opened.search(["old"], 5) == [[]]
    assert list(opened.verify()) == []


def test_a_removal_is_taken_back(opened: LocalLibrary) -> None:
    opened.add([BY_PMID, BY_DOI, paper("b", "Statins.")])
    before = state(opened)
    opened.remove(["pmid:1", "b"])
    undone = opened.undo()
    assert (undone.kind, undone.removed, undone.reverted, undone.restored) == ("remove", 0, 0, 2)
    assert state(opened) == before
    assert opened.add([BY_DOI]).unchanged == 1


def test_a_merge_is_taken_back(opened: LocalLibrary) -> None:
    opened.add([BY_PMID])
    before = state(opened)
    opened.add([BY_DOI, BY_TITLE])
    assert opened.undo().reverted == 1
    assert state(opened) == before


def test_there_is_one_undo(opened: LocalLibrary) -> None:
    with pytest.raises(InputError, match="no change to undo"):
        opened.undo()
    opened.add([paper("a")])
    opened.add([paper("b")])
    opened.undo()
    with pytest.raises(InputError, match="no change to undo"):
        opened.undo()
    assert [item.id for item in opened.documents()] == ["a"]


def test_what_changes_nothing_is_no_change(opened: LocalLibrary) -> None:
    opened.add([paper("a")])
    opened.add([paper("a")])
    opened.remove(["unknown"])
    opened.rebuild()
    assert opened.undo().removed == 1
    assert len(opened) == 0


def test_compaction_forgets_the_change(opened: LocalLibrary) -> None:
    opened.add([paper("a", "Aspirin.")])
    opened.remove(["a"])
    opened.compact()
    with pytest.raises(InputError, match="no change to undo"):
        opened.undo()


def test_what_was_undone_is_said() -> None:
    undone = Undone("add", "2026-11-18T09:30:00+00:00", removed=1_200, reverted=1, restored=0)
    assert undone.sentence == (
        "Undid the 'add' of 2026-11-18 09:30 UTC: 1,200 papers removed, "
        "1 paper set back to the former version."
    )
    undone = Undone("remove", "2026-11-18T09:30:00+00:00", removed=0, reverted=0, restored=2)
    assert undone.sentence == "Undid the 'remove' of 2026-11-18 09:30 UTC: 2 papers restored."
    undone = Undone("add", "2026-11-18T09:30:00+00:00", removed=0, reverted=0, restored=0)
    assert undone.sentence.endswith("the duplicates it merged are forgotten; no paper changed.")


RECORDS = [BY_PMID, BY_DOI, BY_TITLE, paper("b", "One."), paper("b", "Two."), paper("c", "Three.")]
CHANGES = st.one_of(
    # Two versions of one paper in an import may end where they began, and yet are a change.
    st.lists(st.sampled_from(RECORDS), min_size=1, max_size=5, unique_by=lambda each: each.id),
    st.lists(st.sampled_from([record.id for record in RECORDS]), min_size=1, max_size=3),
)


def perform(library: LocalLibrary, change: list[Document] | list[str]) -> None:
    if isinstance(change[0], Document):
        library.add([each for each in change if isinstance(each, Document)])
    else:
        library.remove([each for each in change if isinstance(each, str)])


@settings(max_examples=25, deadline=None)
@given(st.lists(CHANGES, min_size=1, max_size=4))
def test_undo_gives_back_the_state_before_any_change(
    tmp_path_factory: pytest.TempPathFactory, changes: list[list[Document] | list[str]]
) -> None:
    with LocalLibrary(tmp_path_factory.mktemp("undo") / "library", create=True) as library:
        before = state(library)
        for change in changes:
            earlier = state(library)
            perform(library, change)
            if state(library) != earlier:
                before = earlier
        if state(library) == before:
            return
        library.undo()
        assert state(library) == before
        assert list(library.verify()) == []


def test_an_interrupted_import_can_be_undone(
    opened: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claimscope.library.importer._DOCUMENTS", 10)
    opened.add([paper("d3", "Old.")])
    before = state(opened)

    def interrupted() -> Iterator[Document]:
        yield from (paper(f"d{number}", f"Text of word{number}.") for number in range(25))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        opened.add(interrupted())
    assert len(opened) == 20
    undone = opened.undo()
    assert (undone.removed, undone.reverted) == (19, 1)
    assert state(opened) == before
    assert list(opened.verify()) == []


_KILLED = """
import os, sys
from pathlib import Path
from claimscope.library import recovery
from claimscope.library.local import LocalLibrary
from claimscope.library.undo import FormerVersions
moment = sys.argv[2]
def die(*_):
    os._exit(9)
if moment == "before":
    FormerVersions.forget = die
else:
    recovery.stage = die
LocalLibrary(Path(sys.argv[1])).undo()
"""


@pytest.mark.parametrize(("moment", "left"), [("before", ["a", "b"]), ("after", ["a"])])
def test_a_killed_undo_happened_or_did_not(folder: Path, moment: str, left: list[str]) -> None:
    with LocalLibrary(folder, create=True) as library:
        library.add([paper("a", "Aspirin helps.")])
        library.add([paper("b", "Aspirin harms.")])
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(folder), moment])
    assert killed.returncode == 9
    with LocalLibrary(folder) as library:
        assert [item.id for item in library.documents()] == left
        assert sorted(hit.document_id for hit in library.search(["aspirin"], 5)[0]) == left
        assert list(library.verify()) == []
        if moment == "before":
            assert library.undo().removed == 1
        else:
            with pytest.raises(InputError, match="no change to undo"):
                library.undo()
