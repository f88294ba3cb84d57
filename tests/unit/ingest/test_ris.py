from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.ingest.assemble import assemble
from claimscope.library.writers.ris import to_ris
from claimscope.types import Metadata

from .helpers import documents_of, outcome, write

FULL = """TY  - JOUR
AU  - Müller, Anna
AU  - Doe, J.
TI  - Coffee and sleep
T2  - Journal of Sleep
PY  - 2019/05/01
DO  - https://doi.org/10.1000/ABC
UR  - https://example.org/paper
LA  - en
KW  - coffee
AB  - Coffee delays sleep. It did so in 40 adults.
ER  -
"""


def test_every_field_is_kept(tmp_path: Path) -> None:
    (document,) = documents_of(write(tmp_path, "export.ris", FULL))
    assert document.id == "doi:10.1000/abc"
    assert document.title == "Coffee and sleep"
    assert document.sentences == ("Coffee delays sleep.", "It did so in 40 adults.")
    meta = document.meta
    assert meta.authors == ("Müller, Anna", "Doe, J.")
    assert (meta.year, meta.venue, meta.language) == (2019, "Journal of Sleep", "en")
    assert (meta.url, meta.source) == ("https://example.org/paper", "export.ris")
    assert not meta.retracted


def test_merged_exports_without_closing_lines_lose_nothing(tmp_path: Path) -> None:
    text = "TY  - JOUR\nTI  - One\nAB  - First.\n"
    text += "TY  - JOUR\n\nTI  - Two\n\nAB  - Second.\n\n\n\nER  -\n"
    text += "stray line\nTI  - Three\nN2  - Third.\nER  - \nTY  - JOUR\nT1  - Four"
    titles = [document.title for document in documents_of(write(tmp_path, "m.ris", text))]
    assert titles == ["One", "Two", "Three", "Four"]


def test_odd_spacing_and_lower_case_tags_are_read(tmp_path: Path) -> None:
    text = "TY -JOUR\nTI - Odd spacing\nAB- Text here.\nER -\n"
    text += "ty  - jour\nti  - lower case\ner  - \n"
    first, second = documents_of(write(tmp_path, "odd.ris", text))
    assert (first.title, first.abstract) == ("Odd spacing", "Text here.")
    assert second.title == "lower case"


def test_lines_without_a_tag_carry_on_the_abstract(tmp_path: Path) -> None:
    text = "TY  - JOUR\nTI  - MRI\nAB  - We used\nT2 - weighted imaging and\nAB-negative blood.\n\n"
    text += "UK - based patients had\nER-positive or\nER - negative cancer.\nER  - \n"
    (document,) = documents_of(write(tmp_path, "c.ris", text))
    assert document.abstract == (
        "We used T2 - weighted imaging and AB-negative blood. "
        "UK - based patients had ER-positive or ER - negative cancer."
    )
    assert document.meta.venue is None


def test_a_missing_abstract_is_not_taken_for_one(tmp_path: Path) -> None:
    text = "TY  - JOUR\nTI  - A\nAB  - [No abstract available]\nER  - \n"
    (document,) = documents_of(write(tmp_path, "n.ris", text))
    assert not document.has_abstract


def test_the_fuller_of_ab_and_n2_is_kept_and_repeats_are_joined(tmp_path: Path) -> None:
    text = "TY  - JOUR\nTI  - A\nT1  - A\nAB  - Short.\n"
    text += "N2  - Part one.\nN2  - Part two.\nN2  - Part two.\n"
    (document,) = documents_of(write(tmp_path, "n2.ris", text))
    assert document.abstract == "Part one. Part two."


def test_pmids_hide_in_many_places(tmp_path: Path) -> None:
    records = [
        "AN  - 123\nDB  - PubMed",
        "N1  - PMID: 123",
        "UR  - https://pubmed.ncbi.nlm.nih.gov/123",
    ]
    text = "".join(f"TY  - JOUR\nTI  - A\n{extra}\nER  - \n" for extra in records)
    assert {each.id for each in documents_of(write(tmp_path, "p.ris", text))} == {"pmid:123"}


def test_an_accession_number_of_another_database_is_no_pmid(tmp_path: Path) -> None:
    text = "TY  - JOUR\nTI  - A\nAN  - 628391234\nDB  - Embase\nER  - \n"
    (document,) = documents_of(write(tmp_path, "e.ris", text))
    assert document.meta.pmid is None


def test_old_endnote_puts_the_doi_in_m3(tmp_path: Path) -> None:
    text = "TY  - JOUR\nT1  - A\nM3  - doi: 10.1000/x\nER  - \n"
    text += "TY  - JOUR\nT1  - B\nM3  - Review\nER  - \n"
    first, second = documents_of(write(tmp_path, "m3.ris", text))
    assert (first.meta.doi, first.meta.publication_types) == ("10.1000/x", ())
    assert (second.meta.doi, second.meta.publication_types) == (None, ("Review",))


def test_retractions_are_seen_in_notes_and_titles(tmp_path: Path) -> None:
    text = "TY  - JOUR\nTI  - A\nN1  - Retracted Publication\nER  - \n"
    text += "TY  - JOUR\nTI  - RETRACTED: B\nER  - \nTY  - JOUR\nTI  - Retraction: C\nER  - \n"
    marks = [each.meta.retracted for each in documents_of(write(tmp_path, "r.ris", text))]
    assert marks == [True, True, False]


@given(title=st.text(), abstract=st.text(), retracted=st.booleans())
def test_what_a_library_exports_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, title: str, abstract: str, retracted: bool
) -> None:
    meta = Metadata(pmid="7", authors=("Doe, J",), year=2020, retracted=retracted)
    exported = assemble(meta, f"A {title}", f"b {abstract}")
    path = write(tmp_path_factory.mktemp("ris"), "library.ris", to_ris(exported))
    (document,) = documents_of(path)
    assert (document.id, document.title) == ("pmid:7", exported.title)
    assert (document.abstract, document.spans) == (exported.abstract, exported.spans)
    assert (document.meta.authors, document.meta.year) == (("Doe, J",), 2020)
    assert document.meta.retracted == exported.meta.retracted


def test_an_empty_record_is_a_failure_with_its_line(tmp_path: Path) -> None:
    text = FULL + "TY  - JOUR\nPY  - 2020\nER  - \n" + FULL
    path = write(tmp_path, "bad.ris", text)
    documents, (failure,) = outcome(path)
    assert len(documents) == 2
    assert (failure.file, failure.line) == (str(path), 13)
    assert "neither a title nor an abstract" in failure.reason
