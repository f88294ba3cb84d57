"""Papers of one study are grouped; papers that could be different studies are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.studies.grouping import group_studies, registrations
from claimscope.types import Document, Metadata

TITLE = "Effect of daily walking on falls in older adults living at home"


def paper(name: str, title: str = TITLE, abstract: str = "", **meta: object) -> Document:
    return Document(name, title, abstract, meta=Metadata(**meta))  # type: ignore[arg-type]


def grouped(*papers: Document) -> list[set[str]]:
    return [set(group.papers) for group in group_studies(papers)]


def test_a_preprint_and_its_article_are_one_study() -> None:
    preprint = paper("a", TITLE.lower(), authors=("Doe, J",), doi="10.1101/2020.01.01", year=2020)
    article = paper("b", f"{TITLE}: a trial", authors=("Doe, Jane",), doi="10.1/x", year=2021)
    [group] = group_studies([preprint, article, paper("c", "Something else about the sun")])
    assert group.papers == ("a", "b")
    assert group.reason == (
        "nearly the same title and the same first author (among them: a preprint)"
    )


def test_a_registry_number_groups_reports_with_other_titles() -> None:
    one = paper("a", "Main results", "Registered as NCT01234567.")
    two = paper("b", "Two years later", "ClinicalTrials.gov NCT 01234567; all were followed.")
    pooled = paper("c", "Both trials", "We pooled NCT01234567 and NCT07654321.")
    review = paper("d", "A systematic review of walking", "It included NCT01234567.")
    assert grouped(one, two, pooled, review) == [{"a", "b"}]


def test_versions_of_a_preprint_are_one_study() -> None:
    assert grouped(paper("a", "X", doi="10.1101/1.v1"), paper("b", "Y", doi="10.1101/1.v2")) == [
        {"a", "b"}
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (paper("a", authors=("Doe, J",)), paper("b", authors=("Roe, R",))),
        (paper("a", f"{TITLE}: part I"), paper("b", f"{TITLE}: part II")),
        (
            paper("a", f"{TITLE} at week 24", authors=("Doe",)),
            paper("b", f"{TITLE} at week 48", authors=("Doe",)),
        ),
        (paper("a", authors=("Doe",), year=2000), paper("b", authors=("Doe",), year=2010)),
        (paper("a", "In this issue"), paper("b", "In this issue")),
        (paper("a"), paper("b")),
        (
            paper("a", abstract="NCT01234567", authors=("Doe",)),
            paper("b", abstract="NCT01234568", authors=("Doe",)),
        ),
    ],
)
def test_papers_that_could_be_two_studies_stay_apart(one: Document, other: Document) -> None:
    assert grouped(one, other) == []


def test_a_chain_of_likenesses_is_one_group() -> None:
    meeting = paper("c", authors=("Doe, J",), publication_types=("Meeting Abstract",))
    article = paper("a", abstract="NCT01234567", authors=("Doe, J",))
    later = paper("b", "Later", "NCT01234567")
    assert grouped(meeting, later, article) == [{"a", "b", "c"}]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("(ISRCTN 12345678)", {"ISRCTN12345678"}),
        ("ACTRN12605000001606", {"ACTRN12605000001606"}),
        ("EudraCT number: 2004-000446-20", {"EUDRACTNUMBER2004-000446-20"}),
        ("UMIN000012345 and jRCTs031180000", {"UMIN000012345", "JRCTS031180000"}),
        ("PROSPERO CRD42020123456", {"CRD42020123456"}),
        ("NCT12, 2004-000446", set()),
    ],
)
def test_registry_numbers(text: str, numbers: set[str]) -> None:
    assert registrations(paper("a", abstract=text)) == numbers


_DOCUMENTS = st.builds(
    paper,
    st.uuids().map(str),
    st.sampled_from([TITLE, f"{TITLE} again", "Main results", "Falls"]),
    st.sampled_from(["", "NCT01234567", "NCT07654321 and NCT01234567", "walking helps"]),
    authors=st.sampled_from([(), ("Doe, J",), ("Roe, R",)]),
)


@given(st.lists(_DOCUMENTS, max_size=8))
def test_groups_are_disjoint_and_do_not_depend_on_the_order(documents: list[Document]) -> None:
    groups = group_studies(documents)
    members = [name for group in groups for name in group.papers]
    assert len(members) == len(set(members))
    assert all(len(group.papers) > 1 and group.reason for group in groups)
    backwards = group_studies(documents[::-1])
    assert {frozenset(group.papers) for group in groups} == {
        frozenset(group.papers) for group in backwards
    }
