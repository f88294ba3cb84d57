from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.ingest.cleaning import clean_text
from claimscope.types import Document

from .helpers import documents_of, outcome, write

HEADER = ["Key", "Item Type", "Publication Year", "Author", "Title", "Publication Title", "DOI"]
HEADER += ["Url", "Abstract Note", "Manual Tags", "Language"]
ROW = ["K1", "journalArticle", "2019", "Müller, Anna; Doe, J.", "Coffee", "J Sleep", "10.1000/X"]
ROW += ["https://example.org/1", 'Coffee; "delays"\nsleep, they say.', "sleep", "en"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_tables_of_any_delimiter_and_encoding_are_read(
    tmp_path: Path, delimiter: str, encoding: str
) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([HEADER, ROW])
    (document,) = documents_of(write(tmp_path, "z.csv", text.getvalue().encode(encoding)))
    assert (document.id, document.title) == ("doi:10.1000/x", "Coffee")
    assert document.abstract == 'Coffee; "delays" sleep, they say.'
    meta = document.meta
    assert meta.authors == ("Müller, Anna", "Doe, J")
    assert (meta.year, meta.venue, meta.language) == (2019, "J Sleep", "en")
    assert meta.publication_types == ("journalArticle",)


@pytest.mark.parametrize("title", ["title", "TI", "Article Title", "primary_title"])
@pytest.mark.parametrize("abstract", ["abstract", "AB", "Abstract Note", "notes_abstract"])
def test_column_names_are_tolerated(tmp_path: Path, title: str, abstract: str) -> None:
    path = write(tmp_path, "t.csv", f"{title},x,{abstract}\nCoffee,1,Coffee delays sleep.\n")
    (document,) = documents_of(path)
    assert (document.title, document.abstract) == ("Coffee", "Coffee delays sleep.")


def test_a_preamble_before_the_header_is_passed_by(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "sep=;\n\ntitle;abstract;pmid\nCoffee;Text.;12.0\n")
    (document,) = documents_of(path)
    assert document.id == "pmid:12"


def test_a_row_with_too_many_cells_is_a_failure_with_its_line(tmp_path: Path) -> None:
    text = 'title,abstract\n"One\nline",A.\nTwo,commas, unquoted\nThree,C.\n,\n'
    documents, (failure,) = outcome(write(tmp_path, "t.csv", text))
    assert [document.title for document in documents] == ["One line", "Three"]
    assert failure.line == 4
    assert "quotation marks" in failure.reason


def test_a_row_without_title_and_abstract_is_a_failure(tmp_path: Path) -> None:
    documents, (failure,) = outcome(write(tmp_path, "t.csv", "title,doi\nA,\n,10.1000/x\n"))
    assert len(documents) == 1
    assert failure.line == 3


def test_an_unclosed_quote_does_not_swallow_the_file(tmp_path: Path) -> None:
    rows = "".join(f"Paper {number},{'Text. ' * 100}\n" for number in range(1000))
    path = write(tmp_path, "t.csv", 'title,abstract\n"never closed,x\n' + rows)
    documents, (failure,) = outcome(path)
    assert len(documents) > 500
    assert failure.line == 2


@pytest.mark.parametrize(
    ("value", "retracted"), [("yes", True), ("TRUE", True), ("no", False), ("", False)]
)
def test_a_column_may_mark_retractions(tmp_path: Path, value: str, retracted: bool) -> None:
    (document,) = documents_of(write(tmp_path, "t.csv", f"title,retracted\nCoffee,{value}\n"))
    assert document.meta.retracted is retracted


def test_a_file_without_known_columns_is_refused_with_advice(tmp_path: Path) -> None:
    documents, (failure,) = outcome(write(tmp_path, "t.csv", "a,b\n1,2\n"), forced="csv")
    assert documents == []
    assert "add a header row" in failure.reason


CELL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)


@given(title=CELL, abstract=CELL, delimiter=st.sampled_from([",", ";", "\t"]))
def test_any_text_survives_the_round_trip(
    tmp_path_factory: pytest.TempPathFactory, title: str, abstract: str, delimiter: str
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([["Title", "Abstract"], [f"A {title} z", f"B {abstract} z"]])
    path = write(tmp_path_factory.mktemp("csv"), "t.csv", text.getvalue())
    (document,) = documents_of(path)
    assert isinstance(document, Document)
    assert document.title == clean_text(f"A {title} z")
    assert document.abstract == clean_text(f"B {abstract} z")
