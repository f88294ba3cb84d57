"""Duplicates inside a library: reported, lossless, and the same however often they come."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimscope.errors import InputError
from claimscope.library import deduplicate
from claimscope.library.local import LocalLibrary
from claimscope.library.protocol import AddReport, Merge
from claimscope.library.record import Record
from claimscope.types import Document

from .papers import paper

TITLE = "Aspirin for the primary prevention of heart disease"
BY_PMID = paper("pmid:1", "We gave aspirin to adults.", TITLE, pmid="1", doi="10.1000/a")
BY_DOI = paper("doi:10.1000/a", "", TITLE, doi="10.1000/A", year=2001)
BY_TITLE = paper("mine", "We gave aspirin to adults.", TITLE, authors=("Doe, J",))


def test_a_duplicate_is_folded_in_and_reported(opened: LocalLibrary) -> None:
    report = opened.add([BY_PMID, BY_DOI, BY_TITLE])
    assert report.merged == (
        Merge("doi:10.1000/a", "pmid:1", "doi"),
        Merge("mine", "pmid:1", "title"),
    )
    assert (report.added, report.updated, report.unchanged) == (1, 2, 0)
    (only,) = opened.documents()
    assert (only.id, only.meta.pmid, only.meta.year) == ("pmid:1", "1", 2001)
    assert only.meta.authors == ("Doe, J",)
    assert list(opened.verify()) == []


@pytest.mark.parametrize("order", list(permutations([BY_PMID, BY_DOI, BY_TITLE])))
def test_importing_again_in_any_order_changes_nothing(opened: LocalLibrary, order: tuple) -> None:
    opened.add([BY_PMID, BY_DOI, BY_TITLE])
    revision = opened.revision
    report = opened.add(order)
    assert (report.added, report.updated, report.unchanged) == (0, 0, 3)
    assert len(report.merged) == 2
    assert opened.revision == revision


def test_a_corrected_record_replaces_only_its_own_part(opened: LocalLibrary) -> None:
    opened.add([BY_PMID, BY_DOI])
    corrected = paper("doi:10.1000/a", "", TITLE, doi="10.1000/a", year=2003)
    assert opened.add([corrected]).updated == 1
    assert opened.get(["pmid:1"])[0].meta.year == 2003
    assert opened.add([paper("pmid:1", "New.", TITLE, pmid="1", year=2004)]).updated == 1
    (only,) = opened.documents()
    assert (only.abstract, only.meta.year, only.meta.doi) == ("New.", 2004, "10.1000/a")


def test_removing_a_merged_document_forgets_its_parts(opened: LocalLibrary) -> None:
    opened.add([BY_PMID, BY_DOI])
    assert opened.remove(["pmid:1"]) == 1
    assert len(opened) == 0
    assert opened.add([BY_DOI]).added == 1
    assert opened.get(["doi:10.1000/a"]) == [BY_DOI]


def test_asking_for_a_merged_id_names_the_kept_one(opened: LocalLibrary) -> None:
    opened.add([BY_PMID, BY_DOI])
    with pytest.raises(InputError, match="same paper as 'pmid:1'"):
        opened.get(["doi:10.1000/a"])


def test_different_papers_with_one_title_stay_apart(opened: LocalLibrary) -> None:
    title = "Introduction to the special issue on vaccines"
    papers = [paper("a", "", title, year=2001), paper("b", "", title, year=2001)]
    assert opened.add(papers).added == 2


def test_the_searchable_text_is_the_merged_one(folder: Path, opened: LocalLibrary) -> None:
    opened.add([BY_DOI])
    assert opened.search(["adults"], 3) == [[]]
    opened.add([BY_PMID])
    assert [hit.document_id for hit in opened.search(["adults"], 3)[0]] == ["doi:10.1000/a"]


@pytest.mark.parametrize("grows", [False, True])
def test_the_work_of_merging_does_not_grow_with_the_number_of_duplicates(
    opened: LocalLibrary, monkeypatch: pytest.MonkeyPatch, grows: bool
) -> None:
    decoded = 0
    original = deduplicate.decode

    def count(record: Record) -> Document:
        nonlocal decoded
        decoded += 1
        return original(record)

    monkeypatch.setattr(deduplicate, "decode", count)
    papers = [
        paper(f"{number:04}", "Text." * (number if grows else 1), TITLE, doi="10.1000/a")
        for number in range(500)
    ]
    report = opened.add(papers)
    assert (report.added, len(report.merged)) == (1, 499)
    assert opened.get(["0000"])[0].abstract == papers[-1].abstract
    # One for the paper that each is compared with, one for the record itself.
    assert decoded <= 2 * len(papers)
    decoded = 0
    assert opened.add(papers).unchanged == 500
    assert decoded == 0


PAPERS = st.builds(
    lambda name, abstract, title, doi, pmid: paper(name, abstract, title, doi=doi, pmid=pmid),
    st.sampled_from("abcdef"),
    st.sampled_from(["", "We gave aspirin to adults.", "We gave it to children."]),
    st.sampled_from([TITLE, "Another title of a paper on aspirin"]),
    st.sampled_from([None, "10.1000/a", "10.1000/b"]),
    st.sampled_from([None, "1", "2"]),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(PAPERS, min_size=2, max_size=8))
def test_a_batch_gives_what_its_papers_give_one_by_one(papers: list[Document]) -> None:
    with TemporaryDirectory() as folder:
        with LocalLibrary(Path(folder) / "one", create=True) as library:
            expected = sum((library.add([each]) for each in papers), AddReport())
            documents = list(library.documents())
        with LocalLibrary(Path(folder) / "two", create=True) as library:
            assert library.add(papers) == expected
            assert list(library.documents()) == documents
            assert list(library.verify()) == []
