"""What every library does, in a folder and on a real Qdrant server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimscope.errors import InputError, LibraryLockedError
from claimscope.library.export import export_to
from claimscope.library.filters import Filter, filtered
from claimscope.library.local import LocalLibrary
from claimscope.library.location import open_library
from claimscope.library.protocol import ManagedLibrary, Merge
from claimscope.types import Document
from tests.conftest import TEXTS, document
from tests.qdrant import Node, emptied
from tests.unit.library.papers import paper

TITLE = "Aspirin for the primary prevention of heart disease"
BY_PMID = paper("pmid:1", "We gave aspirin to adults.", TITLE, pmid="1", doi="10.1000/a")
BY_DOI = paper("doi:10.1000/a", "", TITLE, doi="10.1000/A", year=2001)
BY_TITLE = paper("mine", "We gave aspirin to adults.", TITLE, authors=("Doe, J",))
TEN = [document(name) for name in TEXTS]

Place = Callable[[], str]


@pytest.fixture(params=["folder", "qdrant"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Give the place of an empty library, each time it is asked."""
    if request.param == "folder":
        return lambda: str(tmp_path / "library")
    node: Node = request.getfixturevalue("qdrant")
    return lambda: emptied(node, "contract")


@pytest.fixture
def opened(place: Place) -> Iterator[ManagedLibrary]:
    with open_library(place(), create=True) as library:
        yield library


def in_folder(folder: str, documents: list[Document]) -> LocalLibrary:
    library = LocalLibrary(Path(folder) / "other", create=True)
    library.add(documents)
    return library


def test_documents_come_back_as_they_were(opened: ManagedLibrary) -> None:
    report = opened.add(TEN)
    assert (report.added, report.without_abstract, len(opened)) == (10, 1, 10)
    assert list(opened.documents()) == sorted(TEN, key=lambda each: each.id)
    assert opened.get(["tea", "ice"]) == [document("tea"), document("ice")]
    assert list(opened.present(["tea", "none", "ice"])) == ["tea", "ice"]
    with pytest.raises(InputError, match="no document 'none'"):
        opened.get(["tea", "none"])
    assert list(opened.verify()) == []


HOSTILE = [
    "<script>alert(1)</script>",
    "Robert'); DROP TABLE documents;--",
    "Null \0 inside, bell \a, and a right-to-left mark \u202e",
    "Emoji 🧪 and combining a\u0301",
    '{"$gt": 1} "quoted" \\ back\nslash',
    "x" * 100_000,
]


def test_hostile_texts_come_back_as_they_were(opened: ManagedLibrary) -> None:
    papers = [
        paper(f"p{number}", text, text, venue=text, source=text)
        for number, text in enumerate(HOSTILE)
    ]
    opened.add(papers, merge=False)
    assert opened.get([each.id for each in papers]) == papers
    assert list(opened.verify()) == []


def test_adding_again_changes_nothing(opened: ManagedLibrary) -> None:
    opened.add(TEN)
    revision = opened.revision
    report = opened.add(reversed(TEN))
    assert (report.added, report.updated, report.unchanged) == (0, 0, 10)
    assert opened.revision == revision


def test_pages_show_every_document_once(opened: ManagedLibrary) -> None:
    opened.add(TEN)
    seen: list[str] = []
    while found := opened.page(seen[-1] if seen else "", 3):
        assert len(found) <= 3
        seen += [each.id for each in found]
    assert sorted(seen) == sorted(TEXTS)


def test_a_changed_document_is_found_by_its_new_words_alone(opened: ManagedLibrary) -> None:
    opened.add(TEN)
    assert opened.add([paper("tea", "Green tea with milk.")]).updated == 1
    assert opened.search(["iron"], 5) == [[]]
    assert [hit.document_id for hit in opened.search(["milk"], 5)[0]] == ["tea"]
    assert list(opened.verify()) == []


def test_a_removed_document_is_gone(opened: ManagedLibrary) -> None:
    opened.add(TEN)
    before = opened.revision
    assert opened.remove(["tea", "tea", "none"]) == 1
    assert opened.search(["iron tea"], 5) == [[]]
    assert len(opened) == 9
    assert opened.revision != before
    opened.add([document("tea")])
    assert opened.revision == before
    assert list(opened.verify()) == []


@pytest.mark.parametrize("order", list(permutations([BY_PMID, BY_DOI, BY_TITLE]))[:3])
def test_duplicates_are_merged_alike(
    opened: ManagedLibrary, order: tuple[Document, ...], tmp_path: Path
) -> None:
    report = opened.add(order)
    with closing(in_folder(str(tmp_path), [])) as folder:
        assert folder.add(order) == report
        assert list(folder.documents()) == list(opened.documents())
        assert folder.revision == opened.revision
    again = opened.add(reversed(order))
    assert (again.unchanged, len(again.merged)) == (3, 2)
    assert list(opened.verify()) == []


def test_a_corrected_record_replaces_only_its_own_part(opened: ManagedLibrary) -> None:
    assert opened.add([BY_PMID, BY_DOI]).merged == (Merge("doi:10.1000/a", "pmid:1", "doi"),)
    assert opened.add([paper("doi:10.1000/a", "", TITLE, doi="10.1000/a", year=2003)]).updated == 1
    assert opened.add([paper("pmid:1", "New.", TITLE, pmid="1", year=2004)]).updated == 1
    (only,) = opened.documents()
    assert (only.abstract, only.meta.year, only.meta.doi) == ("New.", 2004, "10.1000/a")
    with pytest.raises(InputError, match="same paper as 'pmid:1'"):
        opened.get(["doi:10.1000/a"])
    assert opened.remove(["pmid:1"]) == 1
    assert opened.add([BY_DOI]).added == 1


@pytest.mark.parametrize(
    "name", ["pmid:1", "doi:10.1000/a", "10.1000/a", "PMID 1", "1", TITLE, "https://example.org/a/"]
)
def test_a_paper_is_found_by_every_name(opened: ManagedLibrary, name: str) -> None:
    opened.add([BY_PMID, BY_DOI, paper("doi:10.1000/a", "", TITLE, url="http://example.org/a")])
    assert opened.find(name).id == "pmid:1"


def test_a_paper_is_found_by_words_of_its_title(opened: ManagedLibrary) -> None:
    opened.add(TEN)
    assert opened.find("ICE SHEETS").id == "ice"
    assert opened.find("falls vitamin").id == "vitamin-d"


def test_search_ranks_as_a_folder_does(opened: ManagedLibrary, tmp_path: Path) -> None:
    queries = ["aspirin and the risk of heart attack", "autism", "older adults", "falls trial", "?"]
    opened.add(TEN)
    with closing(in_folder(str(tmp_path), TEN)) as folder:
        for own, other in zip(opened.search(queries, 3), folder.search(queries, 3), strict=True):
            assert [hit.document_id for hit in own] == [hit.document_id for hit in other]


def test_ties_are_broken_by_id_across_the_cut(opened: ManagedLibrary) -> None:
    opened.add([paper(f"p{number:02}", "Same words.", "Same") for number in range(60)], merge=False)
    found = opened.search(["same words"], 5)[0]
    assert [hit.document_id for hit in found] == [f"p{number:02}" for number in range(5)]


def test_a_search_for_nothing_is_refused(opened: ManagedLibrary) -> None:
    with pytest.raises(InputError, match="at least one result"):
        opened.search(["tea"], 0)


STUDIES = [
    paper("old", "Aspirin works.", year=1990, study_type="Cohort study", language="en"),
    paper("new", "Aspirin works.", year=2020, publication_types=("Review",), language="German"),
    paper("bad", "Aspirin works.", year=2020, study_type="review", retracted=True),
    paper("bare", "Aspirin works."),
]


@pytest.mark.parametrize(
    ("where", "found"),
    [
        (Filter(), {"old", "new", "bad", "bare"}),
        (Filter(first_year=1990), {"old", "new", "bad"}),
        (Filter(last_year=2019), {"old"}),
        (Filter(first_year=1991, last_year=2020), {"new", "bad"}),
        (Filter(designs=("REVIEW",)), {"new", "bad"}),
        (Filter(designs=("review", "cohort  study")), {"old", "new", "bad"}),
        (Filter(languages=("de",)), {"new"}),
        (Filter(languages=("English", "ger")), {"old", "new"}),
        (Filter(retracted=True), {"bad"}),
        (Filter(retracted=False, designs=("review",)), {"new"}),
        (Filter(first_year=2021), set()),
    ],
)
def test_filters_let_only_some_papers_be_found(
    opened: ManagedLibrary, where: Filter, found: set[str]
) -> None:
    opened.add(STUDIES, merge=False)
    assert {hit.document_id for hit in opened.search(["aspirin"], 10, where)[0]} == found
    seen = filtered(opened, where)
    assert seen.search(["aspirin"], 10) == opened.search(["aspirin"], 10, where)
    assert {each.id for each in seen.documents()} == found


def test_a_filter_reaches_behind_what_it_leaves_out(opened: ManagedLibrary) -> None:
    many = [paper(f"p{number:03}", "Aspirin aspirin works.") for number in range(100)]
    opened.add([*many, paper("z", "Aspirin works well on most days.", year=2000)], merge=False)
    found = opened.search(["aspirin"], 1, Filter(first_year=2000))[0]
    assert [hit.document_id for hit in found] == ["z"]


def test_exports_are_the_same_to_the_byte(opened: ManagedLibrary, tmp_path: Path) -> None:
    opened.add([*TEN, BY_PMID, BY_DOI])
    with closing(in_folder(str(tmp_path), [*TEN, BY_PMID, BY_DOI])) as folder:
        for ending in ("jsonl", "ris"):
            own, other = tmp_path / f"own.{ending}", tmp_path / f"other.{ending}"
            assert export_to(opened, str(own)) == export_to(folder, str(other)) == 11
            assert own.read_bytes() == other.read_bytes()


def test_statistics_count_the_same(opened: ManagedLibrary, tmp_path: Path) -> None:
    papers = [*TEN, *STUDIES]
    opened.add(papers, merge=False)
    with LocalLibrary(tmp_path / "other", create=True) as folder:
        folder.add(papers, merge=False)
        own, other = opened.statistics(), folder.statistics()
    assert (own.documents, own.without_abstract, own.retracted) == (14, 1, 2)
    assert list(own.years.items()) == list(other.years.items())
    assert own.languages == other.languages


def test_a_second_writer_is_refused(place: Place) -> None:
    location = place()
    with (
        open_library(location, create=True, write=True) as first,
        open_library(location) as second,
    ):
        assert second.is_being_written
        with pytest.raises(LibraryLockedError, match=r"(?i)another process"):
            second.add([document("tea")])
        first.add([document("ice")])
        assert len(second) == 1
    with open_library(location) as third:
        assert not third.is_being_written
        assert third.add([document("tea")]).added == 1


def test_progress_counts_what_is_durable(opened: ManagedLibrary) -> None:
    told: list[int] = []
    opened.add(TEN, told.append)
    assert told[-1] == 10


NAMES = st.sampled_from("abcdef")
PAPERS = st.builds(
    lambda name, words, title, doi, pmid, year: paper(
        name, words, title, doi=doi, pmid=pmid, year=year
    ),
    NAMES,
    st.sampled_from(["", "Aspirin helps adults.", "Aspirin helps adults a little.", "Tea."]),
    st.sampled_from([TITLE, "Another long title about tea and health", "Short"]),
    st.sampled_from([None, "10.1000/a", "10.1000/b"]),
    st.sampled_from([None, "1", "2"]),
    st.sampled_from([None, 2001, 2002]),
)
CHANGES = st.lists(st.one_of(st.lists(PAPERS, min_size=1, max_size=4), NAMES), max_size=5)


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(changes=CHANGES)
def test_any_history_leaves_both_libraries_the_same(
    qdrant: Node, changes: list[list[Document] | str]
) -> None:
    with (
        TemporaryDirectory() as folder,
        LocalLibrary(Path(folder) / "library", create=True) as local,
        open_library(emptied(qdrant, "history")) as remote,
    ):
        for change in changes:
            if isinstance(change, str):
                assert remote.remove([change]) == local.remove([change])
            else:
                assert remote.add(change) == local.add(change)
        assert list(remote.documents()) == list(local.documents())
        assert remote.revision == local.revision
        assert list(remote.verify()) == []
        local.rebuild()
        for where in (None, Filter(first_year=2002)):
            own = remote.search(["aspirin for adults", "tea"], 4, where)
            other = local.search(["aspirin for adults", "tea"], 4, where)
            assert [[hit.document_id for hit in hits] for hits in own] == [
                [hit.document_id for hit in hits] for hits in other
            ]


def test_a_copy_there_and_back_is_the_same(opened: ManagedLibrary, tmp_path: Path) -> None:
    papers = [*TEN, BY_PMID, BY_DOI, BY_TITLE]
    with closing(in_folder(str(tmp_path), papers)) as folder:
        assert opened.receive(folder.papers()).added == 11
        assert opened.receive(folder.papers()).unchanged == 11
        assert opened.revision == folder.revision
        assert list(opened.papers()) == list(folder.papers())
        corrected = paper("doi:10.1000/a", "", TITLE, doi="10.1000/a", year=2003)
        assert opened.add([corrected]) == folder.add([corrected])
        assert opened.get(["pmid:1"]) == folder.get(["pmid:1"])
        assert opened.receive(folder.papers()).unchanged == 11
    with LocalLibrary(tmp_path / "back", create=True) as back:
        assert back.receive(opened.papers()).added == 11
        assert list(back.papers()) == list(opened.papers())
        assert list(back.verify()) == []
    assert list(opened.verify()) == []
