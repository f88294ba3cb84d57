from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.errors import InputError
from claimscope.library.local import LocalLibrary
from claimscope.types import Document, Metadata

from .papers import paper

FULL = Document(
    "full",
    "A title with ünïcode 🧬 and \x00 NUL",
    "First sentence. Second one.",
    ((0, 15), (16, 27)),
    Metadata(
        doi="10.1000/x",
        pmid="12",
        year=1999,
        venue="Venue",
        authors=("Doe, J", "Roe, R"),
        url="https://example.org",
        language="en",
        publication_types=("Review", "Journal Article"),
        study_type="review",
        retracted=True,
        note="a caution",
        source="file.ris",
    ),
)


def test_what_goes_in_comes_out(opened: LocalLibrary) -> None:
    opened.add([FULL])
    assert opened.get(["full"]) == [FULL]
    assert list(opened.documents()) == [FULL]


def test_every_document_is_counted_once(opened: LocalLibrary) -> None:
    report = opened.add([paper("a", "One."), paper("b"), paper("a", "One.")])
    assert (report.added, report.updated, report.unchanged) == (2, 0, 1)
    assert report.without_abstract == 1
    report = opened.add([paper("a", "Two."), paper("b")])
    assert (report.added, report.updated, report.unchanged) == (0, 1, 1)
    assert opened.get(["a"])[0].abstract == "Two."


def test_the_source_file_is_no_content(opened: LocalLibrary) -> None:
    opened.add([FULL])
    renamed = replace(FULL, meta=replace(FULL.meta, source="other.ris"))
    assert opened.add([renamed]).unchanged == 1


@pytest.mark.parametrize(
    "changed",
    [
        replace(FULL, title="Another title"),
        replace(FULL, spans=((0, 27),)),
        replace(FULL, meta=replace(FULL.meta, retracted=False)),
        replace(FULL, meta=replace(FULL.meta, authors=())),
    ],
)
def test_any_other_change_is_an_update(opened: LocalLibrary, changed: Document) -> None:
    opened.add([FULL])
    before = opened.revision
    assert opened.add([changed]).updated == 1
    assert opened.get(["full"]) == [changed]
    assert opened.revision != before


def test_get_keeps_the_order_and_names_the_unknown(opened: LocalLibrary) -> None:
    opened.add(paper(name, "Text.") for name in "abc")
    assert [item.id for item in opened.get(["c", "a", "c"])] == ["c", "a", "c"]
    with pytest.raises(InputError, match="no document 'x'"):
        opened.get(["a", "x"])


def test_documents_come_ordered_by_id_while_the_library_changes(opened: LocalLibrary) -> None:
    opened.add(paper(name, "Text.") for name in "cab")
    reading = opened.documents()
    first = next(reading)
    opened.remove(["b", "c"])
    assert [first.id, *(item.id for item in reading)] == ["a", "b", "c"]
    assert [item.id for item in opened.documents()] == ["a"]


def test_removed_documents_are_gone_everywhere(opened: LocalLibrary) -> None:
    opened.add([paper("a", "Aspirin helps."), paper("b", "Aspirin harms.")])
    assert opened.remove(["a", "a", "unknown"]) == 1
    assert len(opened) == 1
    assert [hit.document_id for hit in opened.search(["aspirin"], 5)[0]] == ["b"]


def test_a_document_added_again_after_removal_is_found(opened: LocalLibrary) -> None:
    opened.add([paper("a", "Aspirin helps.")])
    opened.remove(["a"])
    assert opened.add([paper("a", "Aspirin helps.")]).added == 1
    assert [hit.document_id for hit in opened.search(["aspirin"], 5)[0]] == ["a"]


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcde"), st.sampled_from(["One.", "Two.", None])), max_size=12
    )
)
def test_equal_contents_have_equal_revisions_whatever_the_history(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str | None]]
) -> None:
    expected: dict[str, Document] = {}
    folder = tmp_path_factory.mktemp("history")
    with LocalLibrary(folder / "one", create=True) as library:
        for name, text in steps:
            if text is None:
                library.remove([name])
                expected.pop(name, None)
            else:
                library.add([paper(name, text)])
                expected[name] = paper(name, text)
        with LocalLibrary(folder / "two", create=True) as fresh:
            fresh.add(expected[name] for name in sorted(expected, reverse=True))
            assert library.revision == fresh.revision
            assert list(library.documents()) == list(fresh.documents())
        assert list(library.verify()) == []


def test_progress_is_told_only_of_what_is_safe(folder: Path) -> None:
    told: list[int] = []
    with LocalLibrary(folder, create=True) as library:
        library.add((paper(str(number), "Text.") for number in range(50)), told.append)
        assert told == [50]
        library.add([], told.append)
        assert told == [50, 0]


def test_an_interruption_keeps_what_was_acknowledged(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claimscope.library.importer._DOCUMENTS", 10)
    monkeypatch.setattr("claimscope.library.importer._ROUND_DOCUMENTS", 20)
    told: list[int] = []

    def interrupted() -> Iterator[Document]:
        for number in range(35):
            yield paper(f"d{number:02}", f"Text of word{number}.")
        raise KeyboardInterrupt

    with LocalLibrary(folder, create=True) as library:
        with pytest.raises(KeyboardInterrupt):
            library.add(interrupted(), told.append)
        assert told == [20]
        # The library stays usable at once, and the next change brings the index up to date.
        library.add([paper("after", "Text.")])
        assert list(library.verify()) == []
        assert len(library) >= 21
        assert library.search(["word19"], 1)[0][0].document_id == "d19"


def test_an_interruption_is_mended_at_the_next_opening(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claimscope.library.importer._DOCUMENTS", 10)

    def interrupted() -> Iterator[Document]:
        yield from (paper(f"d{number}", f"Text of word{number}.") for number in range(25))
        raise KeyboardInterrupt

    with LocalLibrary(folder, create=True) as library, pytest.raises(KeyboardInterrupt):
        library.add(interrupted())
    with LocalLibrary(folder) as library:
        assert "caught up (20 documents)" in library.recovery.sentence
        assert list(library.verify()) == []


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (paper("  ", "Text."), "has no id"),
        (replace(FULL, spans=((0, 99),)), "offsets"),
        (replace(FULL, spans=((5, 9), (0, 3))), "offsets"),
        (paper("half", "A lone \ud800 surrogate."), "half a character"),
        (paper("half", "Text.", note="\ud800"), "half a character"),
    ],
)
def test_what_cannot_be_kept_is_refused_whole(
    opened: LocalLibrary, bad: Document, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        opened.add([paper("good", "Text."), bad])
    assert len(opened) == 0
    assert list(opened.verify()) == []


def test_threads_may_write_and_search_at_once(opened: LocalLibrary) -> None:
    def work(start: int) -> None:
        for number in range(start, start + 3):
            opened.add([paper(f"d{number}", f"Aspirin word{number}.")])
            assert opened.search([f"word{number}"], 1)[0][0].document_id == f"d{number}"

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(0, 40, 10)))
    assert len(opened) == 12
    assert list(opened.verify()) == []


def test_compacting_frees_space_and_changes_nothing_else(opened: LocalLibrary) -> None:
    text = " ".join(f"word{number}" for number in range(300))
    opened.add(paper(f"d{number}", f"{text} own{number}.") for number in range(400))
    opened.remove([f"d{number}" for number in range(390)])
    before = opened.revision, list(opened.documents())
    assert opened.compact() > 500_000
    assert (opened.revision, list(opened.documents())) == before
    assert list(opened.verify()) == []
    assert opened.search(["own395"], 1)[0][0].document_id == "d395"


def test_rebuilding_gives_the_same_answers(opened: LocalLibrary) -> None:
    opened.add(paper(f"d{number}", f"Aspirin word{number}.") for number in range(20))
    before = opened.search(["aspirin word7"], 20)
    assert opened.rebuild() == 20
    assert opened.search(["aspirin word7"], 20) == before
