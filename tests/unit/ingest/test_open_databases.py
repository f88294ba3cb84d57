"""What PubMed saves as text, and the JSON of Europe PMC and OpenAlex."""

from __future__ import annotations

import json
from pathlib import Path

from .helpers import documents_of, outcome, write

SUMMARY = """1: Müller A, van der Doe J 3rd. Coffee and sleep: a trial in vitro? J Clin Sleep Med.
2019 May 1;12(3):1-9. doi: 10.1000/ABC. Epub 2019 Apr 2. PMID: 31234567; PMCID:
PMC1234567.

2: The 5. Group. Sleep in 2. Nutrients. 2001;3:4. PMID: 7.

3: No journal here. PMID: 8.

4: Roe R. Retracted: tea and sleep. Cochrane Database Syst Rev. 2020 Jan;(1):CD1. doi:
10.1000/tea. Retraction in: J Sleep. 2021. PMID: 9.
"""

ABSTRACT = """1. J Clin Sleep. 2019 May;12(3):1-9. doi: 10.1000/abc. Epub 2019 Apr 2.

Coffee and sleep: a trial
in adults.

Müller A(1), Doe J(2)(3).

Author information:
(1)Department of Sleep, University.
(2)Other.

BACKGROUND: Coffee is common.

RESULTS: Coffee delays sleep. It did so in 40 adults. Groups were:
2. not numbered
as records are.

DOI: 10.1000/abc
PMCID: PMC1
PMID: 31234567 [Indexed for MEDLINE]


2. Nutrients. 2001;3:4.

Tea.

PMID: 7
"""

EUROPE_PMC = {
    "version": "6.9",
    "hitCount": 2,
    "request": {"queryString": 'x "result":[ y', "resultType": "core"},
    "resultList": {
        "result": [
            {
                "id": "31234567",
                "source": "MED",
                "doi": "10.1000/ABC",
                "title": "Coffee and sleep.",
                "authorString": "Müller A, Doe J.",
                "authorList": {
                    "author": [
                        {"fullName": "Müller A", "lastName": "Müller", "firstName": "Anna"},
                        {"collectiveName": "Group"},
                    ]
                },
                "journalInfo": {
                    "journal": {"title": "Journal of Sleep"},
                    "yearOfPublication": 2019,
                },
                "abstractText": "<h4>Background</h4>Coffee delays sleep. It did so in 40 adults.",
                "language": "eng",
                "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
                "commentCorrectionList": {"commentCorrection": [{"type": "Retraction in"}]},
                "fullTextUrlList": {"fullTextUrl": [{"url": "https://example.org/p"}]},
            },
            {
                "id": "PPR1",
                "source": "PPR",
                "title": "A preprint",
                "authorString": "Roe R, Doe J.",
                "pubYear": "2021",
                "pubType": "preprint; review",
            },
            {"id": "3", "source": "MED", "pubYear": "2001"},
        ]
    },
}

WORK = {
    "id": "https://openalex.org/W1",
    "doi": "https://doi.org/10.1000/ABC",
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/31234567"},
    "title": "Coffee and sleep",
    "publication_year": 2019,
    "language": "en",
    "type": "article",
    "is_retracted": True,
    "primary_location": {
        "landing_page_url": "https://example.org/p",
        "source": {"display_name": "Journal of Sleep"},
    },
    "authorships": [{"author": {"display_name": "Anna Müller"}}, {"raw_author_name": "J. Doe"}],
    "abstract_inverted_index": {
        "delays": [1],
        "Coffee": [0, 3],
        "sleep.": [2, 5],
        "costs": [4],
        "far": [10**15],
    },
}


def test_the_summary_of_pubmed_is_read(tmp_path: Path) -> None:
    (first, second, fourth), (failure,) = outcome(write(tmp_path, "summary.txt", SUMMARY))
    assert first.id == "pmid:31234567"
    assert first.title == "Coffee and sleep: a trial in vitro?"
    assert first.meta.authors == ("Müller A", "van der Doe J 3rd")
    assert (first.meta.venue, first.meta.year) == ("J Clin Sleep Med", 2019)
    assert first.meta.doi == "10.1000/abc"
    # What is no list of authors belongs to the title.
    assert (second.title, second.meta.authors) == ("The 5. Group. Sleep in 2.", ())
    assert (fourth.meta.doi, fourth.meta.retracted) == ("10.1000/tea", True)
    assert (failure.line, "no journal" in failure.reason) == (7, True)


def test_the_abstracts_of_pubmed_are_read(tmp_path: Path) -> None:
    first, second = documents_of(write(tmp_path, "abstract.txt", ABSTRACT))
    assert first.title == "Coffee and sleep: a trial in adults."
    assert first.meta.authors == ("Müller A", "Doe J")
    assert first.abstract.startswith("BACKGROUND: Coffee is common. RESULTS: Coffee delays sleep.")
    assert first.abstract.endswith("2. not numbered as records are.")
    assert (first.meta.doi, first.meta.year) == ("10.1000/abc", 2019)
    assert (second.id, second.title, second.abstract) == ("pmid:7", "Tea.", "")


def test_europe_pmc_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, "search.json", json.dumps(EUROPE_PMC, ensure_ascii=False))
    (first, second), (failure,) = outcome(path)
    meta = first.meta
    assert first.id == "pmid:31234567"
    assert first.abstract == "Background Coffee delays sleep. It did so in 40 adults."
    assert meta.authors == ("Müller, Anna", "Group")
    assert (meta.doi, meta.year, meta.venue) == ("10.1000/abc", 2019, "Journal of Sleep")
    assert (meta.language, meta.retracted, meta.url) == ("en", True, "https://example.org/p")
    assert second.meta.authors == ("Roe R", "Doe J")
    assert second.meta.publication_types == ("preprint", "review")
    assert "neither a title" in failure.reason


def test_openalex_is_read_as_answer_lines_list_and_single_work(tmp_path: Path) -> None:
    answer = json.dumps({"meta": {"count": 1}, "results": [WORK], "group_by": []})
    forms = (answer, f"{json.dumps(WORK)}\n", json.dumps([WORK]), json.dumps(WORK, indent=2))
    for number, text in enumerate(forms):
        (document,) = documents_of(write(tmp_path, f"{number}.json", text))
        meta = document.meta
        assert document.id == "pmid:31234567"
        assert document.abstract == "Coffee delays sleep. Coffee costs sleep. far"
        assert document.spans[1] == (21, 44)
        assert meta.authors == ("Anna Müller", "J. Doe")
        assert (meta.doi, meta.year, meta.venue) == ("10.1000/abc", 2019, "Journal of Sleep")
        assert (meta.retracted, meta.url) == (True, "https://example.org/p")


def test_an_index_that_is_no_index_is_a_failure(tmp_path: Path) -> None:
    works = [WORK | {"abstract_inverted_index": [1, 2]}, WORK]
    documents, (failure,) = outcome(write(tmp_path, "w.json", json.dumps(works)))
    assert len(documents) == 1
    assert "abstract_inverted_index" in failure.reason


def test_a_work_without_an_abstract_is_a_work(tmp_path: Path) -> None:
    (document,) = documents_of(
        write(tmp_path, "w.json", json.dumps(WORK | {"abstract_inverted_index": None}))
    )
    assert not document.has_abstract
