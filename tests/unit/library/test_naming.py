"""A paper is found by whatever a person knows it by."""

from __future__ import annotations

import pytest

from claimscope.errors import InputError
from claimscope.library.local import LocalLibrary

from .papers import paper

TITLE = "Aspirin for the primary prevention of heart disease"


@pytest.fixture
def filled(opened: LocalLibrary) -> LocalLibrary:
    opened.add(
        [
            paper("pmid:77", "We gave aspirin.", TITLE, pmid="77", authors=("Doe, J",)),
            # Parts of one paper: the second knows a DOI and an address, the third another title.
            paper("mine-1", "", TITLE, doi="10.1000/ASP", pmid="77", url="https://a.org/asp/"),
            paper("mine-2", "", f"{TITLE}: a trial", doi="10.1000/asp"),
            paper("d2", "Statins lowered it.", "Statins and cholesterol", doi="10.1000/stat"),
            paper("d3", "Tea.", "Tea and iron", url="http://www.example.org/tea?x=1"),
            paper("twin-1", "One.", "Statins in older adults", doi="10.1000/one"),
            paper("twin-2", "Two.", "Statins in older adults", doi="10.1000/two"),
        ]
    )
    return opened


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("pmid:77", "pmid:77"),
        ("77", "pmid:77"),
        ("PMID 77", "pmid:77"),
        ("https://pubmed.ncbi.nlm.nih.gov/77/", "pmid:77"),
        ("mine-1", "pmid:77"),
        ("mine-2", "pmid:77"),
        ("10.1000/Asp", "pmid:77"),
        ("https://doi.org/10.1000/asp", "pmid:77"),
        ("http://a.org/asp", "pmid:77"),
        (TITLE.upper(), "pmid:77"),
        (f"{TITLE} - a trial.", "pmid:77"),
        ("primary prevention aspirin", "pmid:77"),
        ("doi:10.1000/stat", "d2"),
        ("statins and CHOLESTEROL", "d2"),
        ("https://example.org/tea?x=1", "d3"),
        ("Tea and iron", "d3"),
        (" tea ", "d3"),
    ],
)
def test_a_paper_is_found(filled: LocalLibrary, words: str, expected: str) -> None:
    assert filled.find(words).id == expected


@pytest.mark.parametrize(
    "words", ["nosuch", "10.1000/other", "78", "https://a.org/", "", "\x00", "\udcff"]
)
def test_an_unknown_paper_is_an_error(filled: LocalLibrary, words: str) -> None:
    with pytest.raises(InputError, match="There is no document"):
        filled.find(words)


def test_papers_of_one_title_are_listed(filled: LocalLibrary) -> None:
    with pytest.raises(InputError, match=r"2 papers.*'twin-1', 'twin-2'"):
        filled.find("Statins in older adults")


def test_a_doi_of_a_merged_record_that_the_paper_does_not_carry(opened: LocalLibrary) -> None:
    """A preprint and its paper: the merged document keeps one DOI, and both lead to it."""
    opened.add([paper("a", "Text.", TITLE, pmid="5", doi="10.1000/one")])
    opened.add([paper("b", "Text.", TITLE, pmid="5", url="https://b.org/1")])
    corrected = paper("a", "Text.", TITLE, pmid="5", doi="10.1000/one")
    opened.add([corrected, paper("b", "Text.", TITLE, pmid="5", doi="10.1000/two")])
    assert opened.find("10.1000/two").id == "a"
    assert opened.find("10.1000/one").id == "a"
