from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.library.composition import merge
from claimscope.library.identity import identities, same_paper, title_key
from claimscope.types import Document, Metadata

from .papers import paper

TITLE = "Aspirin for the primary prevention of heart disease"


@pytest.mark.parametrize(
    "spelling",
    ["10.1000/ABC.1", "https://doi.org/10.1000/abc.1", "doi: 10.1000/Abc.1", "10.1000/abc.1."],
)
def test_spellings_of_a_doi_are_one(spelling: str) -> None:
    assert identities(paper("a", "", TITLE, doi=spelling)).doi == "10.1000/abc.1"


@pytest.mark.parametrize("nothing", [None, "", "n/a", "https://example.org/10"])
def test_what_is_no_doi_identifies_nothing(nothing: str | None) -> None:
    assert identities(paper("a", "", TITLE, doi=nothing)).doi is None


@pytest.mark.parametrize("spelling", ["123", " 00123", "PMID: 123", "pmid123"])
def test_spellings_of_a_pubmed_id_are_one(spelling: str) -> None:
    assert identities(paper("a", "", TITLE, pmid=spelling)).pmid == "123"


@pytest.mark.parametrize("nothing", [None, "", "PMC123x", "0"])
def test_what_is_no_pubmed_id_identifies_nothing(nothing: str | None) -> None:
    assert identities(paper("a", "", TITLE, pmid=nothing)).pmid is None


def test_titles_are_compared_by_their_letters() -> None:
    assert title_key(TITLE) == title_key("ASPIRIN for the primary – prevention of heart-disease.")
    assert title_key("Über die Ursachen der Krankheit") == title_key(
        "Uber die Ursachen der Krankheit"
    )
    assert title_key(TITLE) != title_key(TITLE + " II")


@pytest.mark.parametrize("plain", ["Editorial", "In this issue", "Reply", "", "Letter to editor"])
def test_plain_titles_identify_nothing(plain: str) -> None:
    assert title_key(plain) is None


def one(abstract: str = "", title: str = TITLE, **meta: object) -> Document:
    return paper("one", abstract, title, **meta)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (one(doi="10.1/A"), one(doi="https://doi.org/10.1/a"), None),
        (one(doi="10.1000/A"), one(doi="https://doi.org/10.1000/a"), "doi"),
        (one(doi="10.1000/a"), one(title="RETRACTED: " + TITLE, doi="10.1000/a"), "doi"),
        (one(doi="10.1000/a"), one(title="Chapter two, on statins", doi="10.1000/a"), None),
        (one(doi="10.1000/a", pmid="1"), one(doi="10.1000/a", pmid="2"), None),
        (one(title="Ein Titel", doi="10.1000/a", pmid="1"), one(doi="10.1000/a", pmid="1"), "doi"),
        (one(pmid="7"), one(pmid="007"), "pmid"),
        (one(pmid="7"), one(title="Quite another paper", pmid="7"), None),
        (one("We gave aspirin."), one("We gave aspirin."), "title"),
        (one("We gave aspirin."), one("Statins were given to mice."), None),
        (one("We gave aspirin.", year=2001), one("We gave aspirin.", year=2002), None),
        (one("We gave it.", doi="10.1000/a"), one("We gave it.", doi="10.1000/b"), None),
        (one("We gave it.", doi="10.1000/a"), one("We gave it.", pmid="5"), "title"),
        (one("We gave it."), one(), None),
        (one("We gave it.", authors=("Doe, J",)), one(authors=("Jane Doe",)), "title"),
        (one("We gave it.", authors=("Doe, J",)), one(authors=("Roe, R",)), None),
        (one("Text.", title="Editorial"), one("Text.", title="Editorial"), None),
    ],
)
def test_records_are_merged_only_without_doubt(
    first: Document, second: Document, reason: str | None
) -> None:
    assert same_paper(first, second) == reason
    assert same_paper(second, first) == reason


def test_the_fuller_record_wins_field_by_field() -> None:
    kept = paper("kept", "Short.", TITLE, year=2001, authors=("A",), publication_types=("Review",))
    other = paper(
        "other",
        "A longer abstract.",
        "Other title",
        year=1999,
        doi="10.1000/a",
        authors=("A", "B"),
        publication_types=("Review", "Trial"),
        retracted=True,
        note="guessed from a PDF",
    )
    merged = merge([kept, other])
    assert merged == Document(
        "kept",
        TITLE,
        "A longer abstract.",
        ((0, 18),),
        Metadata(
            year=2001,
            doi="10.1000/a",
            authors=("A", "B"),
            publication_types=("Review", "Trial"),
            retracted=True,
            note="guessed from a PDF",
        ),
    )


records = st.builds(
    paper,
    st.sampled_from(["a", "b"]),
    st.text(max_size=8),
    st.text(max_size=8),
    doi=st.none() | st.text(max_size=3),
    year=st.none() | st.integers(1900, 2030),
    authors=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    retracted=st.booleans(),
)


@given(records, records)
def test_merging_again_changes_nothing(first: Document, second: Document) -> None:
    merged = merge([first, second])
    assert merge([merged, second]) == merged
    assert merge([first, first]) == first
    assert merged.id == first.id
    assert all(0 <= start <= end <= len(merged.abstract) for start, end in merged.spans)
