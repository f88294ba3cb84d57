from __future__ import annotations

import pytest

from claimscope._identifiers import find_doi, find_pmid, find_year, parse_pmid, safe_url
from claimscope.ingest.assemble import make_id


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("10.1000/ABC", "10.1000/abc"),
        ("https://doi.org/10.1000/Abc", "10.1000/abc"),
        ("http://dx.doi.org/10.1002%2Fx.1", "10.1002/x.1"),
        ("doi: 10.1016/S0960-9822(00)00336-5", "10.1016/s0960-9822(00)00336-5"),
        ("(see 10.1000/abc).", "10.1000/abc"),
        ("10.1000/abc [doi]", "10.1000/abc"),
        ("no identifier, version 10.2/3", None),
        ("", None),
    ],
)
def test_dois_are_found_in_any_spelling(text: str, doi: str | None) -> None:
    assert find_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "pmid"),
    [
        ("123", "123"),
        ("0123", "123"),
        ("123.0", "123"),
        ("PMID: 123", "123"),
        ("", None),
        ("0", None),
    ],
)
def test_pmids_are_read_as_spreadsheets_leave_them(text: str, pmid: str | None) -> None:
    assert parse_pmid(text) == pmid


def test_a_pmid_in_a_note_must_be_named_as_one() -> None:
    assert find_pmid("Cited in PubMed 2020 times") is None
    assert find_pmid("https://pubmed.ncbi.nlm.nih.gov/456/") == "456"
    assert find_pmid("PMID: 456; PMCID: PMC9") == "456"


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("2020", 2020),
        ("2019 Jan-Feb", 2019),
        ("12/31/1999", 1999),
        ("20200115", 2020),
        ("2020-01-15T00:00:00", 2020),
        ("Spring 1987", 1987),
        ("12345", None),
        ("n.d.", None),
    ],
)
def test_years_are_found_in_any_date(text: str, year: int | None) -> None:
    assert find_year(text) == year


def test_an_id_is_the_pmid_else_the_doi_else_the_title() -> None:
    assert make_id("10.1/x", "7", "T", 2000) == "pmid:7"
    assert make_id("10.1/x", None, "T", 2000) == "doi:10.1/x"
    by_title = make_id(None, None, "On Coffee & Sleep.", 2000)
    assert by_title.startswith("title:")
    assert len(by_title) == len("title:") + 16
    assert by_title == make_id(None, None, "on coffee &  sleep", 2000)
    assert by_title != make_id(None, None, "on coffee & sleep", 2001)
    assert make_id(None, None, "?!", None) != make_id(None, None, "!?", None)


UNSAFE = ["javascript:x", " JavaScript:x", "java\nscript:x", "data:x", "\0file:x"]


@pytest.mark.parametrize("text", UNSAFE)
def test_an_address_that_runs_or_shows_its_text_is_left_out(text: str) -> None:
    assert safe_url(text) is None


@pytest.mark.parametrize("text", ["https://a.b/c?data:x", "www.a.b", "doi:10.1/x"])
def test_other_addresses_are_kept(text: str) -> None:
    assert safe_url(text) == text
