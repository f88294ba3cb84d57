"""Marks of Retraction Watch: read, kept through imports, shown, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from claimscope.checker import Checker
from claimscope.errors import FormatError, InputError
from claimscope.ingest import read
from claimscope.library.export import export_to
from claimscope.library.local import LocalLibrary
from claimscope.sources.retraction_watch import read_retractions
from claimscope.sources.retractions import mark_retractions
from claimscope.types import Document, Metadata

HEADER = (
    "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,"
    "RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,"
    "OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes,\n"
)
MMR = "Ileal-lymphoid-nodular hyperplasia in children"
TEA = "Tea and the common cold in adults"


def row(
    number: int, title: str, nature: str, when: str, doi: str, pmid: str = "0", why: str = ""
) -> str:
    return (
        f'{number},"{title}",(HSC) Medicine;,,J,P,UK,A Author,,Research Article;,{when} 0:00,'
        f'10.1000/notice.{number},0,2/28/1998 0:00,{doi},{pmid},{nature},"{why}",No,,\n'
    )


ROWS = (
    row(1, MMR, "Correction", "3/6/2004", "10.1016/S0140-6736(97)11096-0", why="+Error in Text;"),
    row(
        2,
        MMR,
        "Retraction",
        "2/6/2010",
        "10.1016/S0140-6736(97)11096-0",
        "9500320",
        "+Falsification of Data;+Ethical Violations by Author;",
    ),
    row(3, TEA, "Expression of concern", "12/31/2020", "unavailable", "123"),
    row(4, "Another paper of the same supplement", "Retraction", "1/1/2021", "10.1000/supplement"),
)
PAPERS = (
    Document("mmr", MMR, meta=Metadata(doi="10.1016/s0140-6736(97)11096-0")),
    Document("tea", TEA, meta=Metadata(pmid="123")),
    Document("abstract", "Coffee keeps awake", meta=Metadata(doi="10.1000/supplement")),
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "retraction_watch.csv"
    path.write_text(HEADER + "".join(ROWS), "utf-8")
    return path


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LocalLibrary]:
    with LocalLibrary(tmp_path / "library", create=True) as made:
        made.add(PAPERS)
        yield made


def test_a_file_is_named_by_its_dates_and_its_hash(table: Path) -> None:
    data = read_retractions(table)
    assert (data.rows, data.newest) == (4, date(2021, 1, 1))
    assert len(data.sha256) == 64
    [correction, retraction] = data.by_doi["10.1016/s0140-6736(97)11096-0"]
    assert correction.words == "Correction, 2004-03-06: Error in Text (doi:10.1000/notice.1)"
    assert retraction.reasons == ("Falsification of Data", "Ethical Violations by Author")
    assert data.by_pmid.keys() == {"9500320", "123"}


def test_retraction_concern_and_correction_are_kept_apart(
    library: LocalLibrary, table: Path
) -> None:
    report = mark_retractions(library, read_retractions(table))
    mmr, tea, other = library.get(["mmr", "tea", "abstract"])
    assert mmr.meta.retracted
    assert [notice.split(":")[0] for notice in mmr.meta.notices] == [
        "Correction, 2004-03-06",
        "Retraction, 2010-02-06",
    ]
    assert not tea.meta.retracted
    assert tea.meta.notices == ("Expression of concern, 2020-12-31 (doi:10.1000/notice.3)",)
    # A supplement's DOI belongs to all its abstracts; the title tells them apart.
    assert other.meta == PAPERS[2].meta
    assert report.changed == ("mmr", "tea")
    assert "retraction 1, expression of concern 1, correction 1" in report.sentence
    assert len(library) == 3


def test_a_second_time_changes_nothing(library: LocalLibrary, table: Path) -> None:
    mark_retractions(library, read_retractions(table))
    revision = library.revision
    again = mark_retractions(library, read_retractions(table))
    assert again.changed == ()
    assert [paper.id for paper in again.papers] == ["mmr", "tea"]
    assert library.revision == revision


def test_marks_stay_when_the_paper_is_imported_again(library: LocalLibrary, table: Path) -> None:
    mark_retractions(library, read_retractions(table))
    library.add([replace(PAPERS[0], abstract="Twelve children.", spans=((0, 16),))])
    [mmr] = library.get(["mmr"])
    assert mmr.abstract == "Twelve children."
    assert mmr.meta.retracted
    assert len(mmr.meta.notices) == 2


def test_a_notice_that_left_the_table_leaves_the_paper(library: LocalLibrary, table: Path) -> None:
    mark_retractions(library, read_retractions(table))
    table.write_text(HEADER + ROWS[0], "utf-8")
    report = mark_retractions(library, read_retractions(table))
    mmr, tea = library.get(["mmr", "tea"])
    assert (mmr.meta.retracted, len(mmr.meta.notices)) == (False, 1)
    assert tea.meta == PAPERS[1].meta
    assert report.changed == ("mmr", "tea")


def test_a_reinstated_paper_is_not_retracted(library: LocalLibrary, table: Path) -> None:
    reinstated = row(9, MMR, "Reinstatement", "1/2/2012", "10.1016/S0140-6736(97)11096-0")
    table.write_text(HEADER + reinstated + "".join(ROWS), "utf-8")
    mark_retractions(library, read_retractions(table))
    assert not library.get(["mmr"])[0].meta.retracted


def test_marks_can_be_undone_and_go_with_the_paper(library: LocalLibrary, table: Path) -> None:
    before = library.revision
    mark_retractions(library, read_retractions(table))
    library.undo()
    assert library.revision == before
    mark_retractions(library, read_retractions(table))
    library.remove(["mmr", "tea"])
    assert len(library) == 1


@pytest.mark.parametrize("name", ["a.jsonl", "a.ris", "a.bib", "a.json", "a.csv", "a.xml"])
def test_every_export_keeps_the_notices(
    library: LocalLibrary, table: Path, tmp_path: Path, name: str
) -> None:
    mark_retractions(library, read_retractions(table))
    export_to(library, str(tmp_path / name))
    papers = {each.id: each.meta for each in read([tmp_path / name]) if isinstance(each, Document)}
    for stored in library.get(["mmr", "tea"]):
        assert papers[stored.id].notices == stored.meta.notices
        assert papers[stored.id].retracted == stored.meta.retracted


def test_a_checked_claim_tells_of_retraction_and_concern(
    library: LocalLibrary, table: Path
) -> None:
    mark_retractions(library, read_retractions(table))
    case = Checker(library, "lexical-baseline").check("Tea prevents the common cold in adults")
    assert [notice for notice in case.notices if "Expression of concern, 2020-12-31" in notice]


def test_rows_of_unknown_kind_are_failures(table: Path) -> None:
    table.write_text(HEADER + row(1, MMR, "Rumour", "1/1/2020", "10.1000/x") + ROWS[1])
    data = read_retractions(table)
    assert [failure.line for failure in data.failures] == [2]
    assert data.by_doi.keys() == {"10.1016/s0140-6736(97)11096-0"}


def test_other_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "papers.csv"
    path.write_text("title,doi\nTea,10.1000/x\n")
    with pytest.raises(FormatError, match="no column OriginalPaperDOI"):
        read_retractions(path)
    with pytest.raises(InputError, match="no file"):
        read_retractions(tmp_path / "missing.csv")
