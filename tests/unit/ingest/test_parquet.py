"""Parquet is read as a table of papers, and a bad row stops nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import FormatError
from claimscope.ingest import Failure, read
from claimscope.ingest.parquet import read as read_parquet
from claimscope.library.writers.json_lines import to_record
from claimscope.text import split_sentences
from claimscope.types import Document, Metadata


def written(path: Path, columns: dict[str, list[Any]]) -> Path:
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    return path


def test_a_table_from_another_program_is_read_by_its_columns(tmp_path: Path) -> None:
    path = written(
        tmp_path / "papers.parquet",
        {
            "Title": ["Tea", None],
            "Abstract": ["Tea has iron. It is hot.", None],
            "Publication Year": [2001, 2002],
            "Authors": [["Ann Lee", "Bo Ek"], []],
        },
    )
    paper, failure = read([path])
    assert isinstance(paper, Document)
    assert (paper.title, paper.meta.year, len(paper.sentences)) == ("Tea", 2001, 2)
    assert paper.meta.authors == ("Ann Lee", "Bo Ek")
    assert isinstance(failure, Failure)
    assert failure.line == 2


TITLES = st.text(
    st.characters(categories=["Lu", "Ll"], max_codepoint=0x17F), min_size=1, max_size=20
)


@given(st.lists(st.tuples(TITLES, TITLES), min_size=1, max_size=5))
def test_our_own_records_come_back_whole(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    papers = [
        Document(
            f"p{number}",
            title,
            f"{abstract}. It is so.",
            split_sentences(f"{abstract}. It is so."),
            Metadata(year=1990 + number),
        )
        for number, (title, abstract) in enumerate(texts)
    ]
    path = tmp_path_factory.getbasetemp() / "own.parquet"
    written(path, {"record": [json.dumps(to_record(paper)) for paper in papers]})
    found = [item for item in read_parquet(path) if isinstance(item, Document)]
    assert [to_record(item) for item in found] == [to_record(paper) for paper in papers]


@pytest.mark.parametrize("record", [None, "[]", "{", "[" * 100_000, "x" * 11_000_000])
def test_a_bad_record_is_one_failure(tmp_path: Path, record: str | None) -> None:
    good = json.dumps({"id": "a", "title": "Tea", "abstract": "Tea is hot."})
    path = written(tmp_path / "own.parquet", {"record": [record, good]})
    failure, paper = read_parquet(path)
    assert isinstance(failure, Failure)
    assert failure.line == 1
    assert isinstance(paper, Document)


def test_a_table_without_titles_and_a_damaged_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="name no column"):
        list(read_parquet(written(tmp_path / "other.parquet", {"x": [1]})))
    path = written(tmp_path / "cut.parquet", {"title": ["Tea"] * 99})
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(FormatError, match="no Parquet file"):
        list(read_parquet(path))
