"""Claims are read the same from every format, and a bad row never stops the others."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.claims.files import format_of, read_claims_of
from claimscope.claims.reading import Refusal
from claimscope.claims.tables import read_table
from claimscope.errors import FormatError
from claimscope.types import Claim

ROWS = [
    ("a", "Aspirin thins blood"),
    ("b", 'Tea, or "chai", has iron; see x'),
    ("c", "Ä — 水 boils"),
]
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)


def written(folder: Path, name: str, rows: list[tuple[str, str]]) -> Path:
    path = folder / name
    if name.endswith(".parquet"):
        table = pyarrow.table({"id": [row[0] for row in rows], "Claim": [row[1] for row in rows]})
        pyarrow.parquet.write_table(table, path)
    elif "jsonl" in name:
        text = "".join(json.dumps({"id": key, "claim": claim}) + "\n" for key, claim in rows)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    else:
        output = io.StringIO()
        delimiter = "\t" if name.endswith(".tsv") else ","
        csv.writer(output, delimiter=delimiter).writerows([("id", "claim"), *rows])
        path.write_text("\ufeff" + output.getvalue(), "utf-8")
    return path


@pytest.mark.parametrize("name", ["c.csv", "c.tsv", "c.jsonl", "c.jsonl.gz", "c.parquet"])
def test_every_format_gives_the_same_claims(tmp_path: Path, name: str) -> None:
    found = list(read_claims_of(written(tmp_path, name, ROWS)))
    assert found == [Claim(text, key) for key, text in ROWS]


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1), st.sampled_from([",", ";", "\t"]))
def test_a_table_gives_what_was_written(rows: list[tuple[str, str]], delimiter: str) -> None:
    output = io.StringIO()
    csv.writer(output, delimiter=delimiter).writerows([("id", "claim"), *rows])
    found = list(read_table(io.StringIO(output.getvalue(), newline="")))
    assert found == [Claim(text, key) for key, text in rows]


def test_a_row_that_cannot_be_checked_keeps_its_number_and_id(tmp_path: Path) -> None:
    found = list(
        read_claims_of(written(tmp_path, "c.csv", [("a", "Tea"), ("b", ""), ("c", "Ice")]))
    )
    assert found[0] == Claim("Tea", "a")
    assert isinstance(found[1], Refusal)
    assert (found[1].line, found[1].id) == (2, "b")
    assert found[2] == Claim("Ice", "c")


def test_claims_without_ids_are_named_after_their_rows(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("note,statement\nx,Tea\ny,Ice\n")
    assert list(read_claims_of(path)) == [Claim("Tea", "1"), Claim("Ice", "2")]


def test_parquet_cells_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"claim": [1, 2]}), path)
    assert all(isinstance(item, Refusal) for item in read_claims_of(path))


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("c.csv", b"id,title\n1,x\n", 'no column "claim"'),
        ("c.csv", b"claim\n\xff\xfe\n", "not UTF-8"),
        ("c.csv", b'claim\n"open\n', "not valid CSV"),
        (
            "c.csv.gz",
            gzip.compress(b"claim\nTea is hot\n" * 99, mtime=0)[:-9],
            "cut off or damaged",
        ),
        ("c.parquet", b"PAR1", "no Parquet file"),
        ("c.docx", b"", "no ending"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(FormatError, match=words):
        list(read_claims_of(path))


def test_the_ending_behind_a_compression_counts() -> None:
    assert format_of(Path("claims.v2.csv.gz")) == "csv"
