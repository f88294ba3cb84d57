"""Fetches papers from a server with PubMed's and Crossref's shapes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from claimscope.errors import InputError, SourceError
from claimscope.library.local import LocalLibrary
from claimscope.sources.crossref import Crossref
from claimscope.sources.fetching import Fetch, FetchReport, read_wanted
from claimscope.sources.pubmed import PubMed

from .databases_server import Databases, running

WAKEFIELD = {
    "DOI": "10.1016/s0140-6736(97)11096-0",
    "type": "journal-article",
    "title": ["RETRACTED: Ileal-lymphoid-nodular hyperplasia in children"],
    "container-title": ["The Lancet"],
    "author": [{"given": "AJ", "family": "Wakefield", "sequence": "first", "affiliation": []}],
    "issued": {"date-parts": [[1998, 2]]},
    "URL": "https://doi.org/10.1016/s0140-6736(97)11096-0",
    "updated-by": [
        {
            "DOI": "10.1016/s0140-6736(10)60175-4",
            "type": "retraction",
            "label": "Retraction",
            "source": "retraction-watch",
            "updated": {"date-parts": [[2010, 2, 6]], "timestamp": 1265414400000},
        },
        {
            "DOI": "10.1016/s0140-6736(04)15715-2",
            "type": "erratum",
            "label": "Erratum",
            "source": "publisher",
            "updated": {"date-parts": [[2004, 3]]},
        },
        {"DOI": "10.1016/other", "type": "new_version", "updated": {"date-parts": [[2011]]}},
    ],
}
ERRATUM = {
    "DOI": "10.1000/erratum",
    "title": ["Correction to: Tea and the common cold"],
    "issued": {"date-parts": [[2021]]},
    "abstract": "<jats:title>Abstract</jats:title><jats:p>A number was wrong.</jats:p>",
    "update-to": [{"DOI": "10.1000/tea", "type": "correction", "label": "Correction"}],
}


@pytest.fixture
def databases() -> Iterator[Databases]:
    with running(Databases()) as made:
        made.articles = {
            str(number): {"title": f"Study {number} of tea", "abstract": "Tea helped."}
            for number in range(1000, 1450)
        }
        made.searches["tea[ti] AND 2020[dp]"] = list(made.articles)
        made.works = {WAKEFIELD["DOI"]: WAKEFIELD, ERRATUM["DOI"]: ERRATUM}
        made.searches[f"{WAKEFIELD['DOI']}[AID]"] = []
        yield made


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LocalLibrary]:
    with LocalLibrary(tmp_path / "library", create=True) as made:
        yield made


class Fetching:
    def __init__(self, databases: Databases, library: LocalLibrary, place: Path) -> None:
        self.databases, self.library, self.place = databases, library, place

    def __call__(self, *words: str, limit: int = 100, **options: Any) -> FetchReport:
        options = {"pause": 0.0, "sleep": lambda _: None, **options}
        pubmed = PubMed(self.databases.address, "me@example.org", "KEY", **options)
        crossref = Crossref(self.databases.address, "me@example.org", **options)
        fetch = Fetch(self.library, pubmed, crossref, self.place)
        return fetch.run(read_wanted(words, limit))


@pytest.fixture
def fetch(databases: Databases, library: LocalLibrary, tmp_path: Path) -> Fetching:
    return Fetching(databases, library, tmp_path / "fetch.json")


def test_a_query_fetches_as_many_as_wanted(fetch: Fetching, library: LocalLibrary) -> None:
    done = fetch("tea[ti] AND 2020[dp]", limit=250)
    assert (done.report.added, done.missing, done.failures) == (250, [], [])
    assert fetch.databases.paths() == ["/esearch.fcgi", "/efetch.fcgi", "/efetch.fcgi"]
    for _, _, asked in fetch.databases.asked:
        assert (asked["tool"], asked["email"]) == ("claimscope", "me@example.org")
        assert asked["api_key"] == "KEY"
    [paper] = library.get(["pmid:1000"])
    assert paper.abstract == "RESULTS: Tea helped."
    assert (paper.meta.year, paper.meta.venue) == (2020, "Journal of tea")
    assert not fetch.place.exists()


def test_single_papers_are_fetched_by_id(fetch: Fetching, library: LocalLibrary) -> None:
    done = fetch("pmid:1001", "pmid:99999", f"doi:{WAKEFIELD['DOI']}", "doi:10.1000/erratum")
    assert done.report.added == 3
    assert done.missing == ["pmid:99999"]
    paper = library.find(WAKEFIELD["DOI"])
    assert paper.meta.retracted
    assert paper.meta.notices == (
        "Correction, 2004-03-01 (doi:10.1016/s0140-6736(04)15715-2)",
        "Retraction, 2010-02-06 (doi:10.1016/s0140-6736(10)60175-4)",
    )
    assert (paper.meta.authors, paper.meta.year) == (("Wakefield, AJ",), 1998)
    # A notice is no corrected paper.
    notice = library.find("10.1000/erratum")
    assert (notice.meta.retracted, notice.meta.notices) == (False, ())
    assert notice.meta.note == "This is a notice: correction of doi:10.1000/tea"
    assert "A number was wrong." in notice.abstract


def test_pubmed_gives_the_abstract_that_crossref_has_not(
    fetch: Fetching, library: LocalLibrary
) -> None:
    doi = "10.1000/tea"
    fetch.databases.works[doi] = {"DOI": doi, "title": ["Study 7 of tea"]}
    fetch.databases.articles["7"] = {"title": "Study 7 of tea", "abstract": "It is.", "doi": doi}
    fetch.databases.searches[f"{doi}[AID]"] = ["7"]
    fetch(f"https://doi.org/{doi}")
    assert len(library) == 1
    paper = library.find(doi)
    assert (paper.abstract, paper.meta.pmid) == ("RESULTS: It is.", "7")


def test_an_interrupted_fetch_goes_on(fetch: Fetching, library: LocalLibrary) -> None:
    fetch.databases.stop_after = 2
    with pytest.raises(SourceError, match=r"PubMed answers 503 .*try again later"):
        fetch("tea[ti] AND 2020[dp]", limit=450)
    assert len(library) == 200
    fetch.databases.stop_after = None
    fetch.databases.asked.clear()
    assert fetch("tea[ti] AND 2020[dp]", limit=450).report.added == 250
    assert fetch.databases.paths() == ["/efetch.fcgi", "/efetch.fcgi"]
    assert len(library) == 450


def test_another_fetch_begins_anew(fetch: Fetching, library: LocalLibrary) -> None:
    fetch.databases.stop_after = 2
    with pytest.raises(SourceError):
        fetch("tea[ti] AND 2020[dp]", limit=450)
    fetch.databases.stop_after = None
    assert fetch("pmid:1449").report.added == 1


def test_refusals_are_waited_for(fetch: Fetching) -> None:
    fetch.databases.refusals = [(429, {"Retry-After": "7"}), (502, {})]
    waits: list[float] = []
    assert fetch("pmid:1001", sleep=waits.append).report.added == 1
    assert waits == [7.0, 2.0]


def test_the_rate_is_polite(databases: Databases) -> None:
    slow = PubMed(databases.address)
    for _ in range(3):
        slow.search("tea[ti] AND 2020[dp]", 1)
    times = [moment for moment, _, _ in databases.asked]
    assert all(later - earlier >= 0.33 for earlier, later in pairwise(times))
    assert "email" not in databases.asked[0][2]


def test_what_cannot_be_asked_is_refused_in_a_sentence(fetch: Fetching) -> None:
    with pytest.raises(SourceError, match="PubMed refuses the query 'tea AND': Search Backend"):
        fetch("tea AND")
    with pytest.raises(InputError, match="at most 10,000"):
        fetch("tea[ti] AND 2020[dp]", limit=10_001)
    for word in ("pmid:tea", "doi:tea", " "):
        with pytest.raises(InputError, match="names no paper"):
            read_wanted([word], 1)
