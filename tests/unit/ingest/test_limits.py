"""Small files made to keep a reader busy: each must end soon, and the user is told why."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from claimscope._identifiers import find_doi
from claimscope.ingest.detect import is_bibtex
from claimscope.ingest.limits import LONGEST, MOST_VALUES
from claimscope.ingest.table import find_columns

from .helpers import documents_of, outcome, write


@contextmanager
def soon(seconds: float = 3.0) -> Iterator[None]:
    """Fail if the block uses more of the processor than this."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < seconds


def line(**values: Any) -> str:
    return json.dumps({"title": "A title"} | values) + "\n"


def test_closing_brackets_without_end_are_stripped_soon(tmp_path: Path) -> None:
    hostile = line(doi="10.1234/" + ")" * 2_000_000)
    with soon():
        documents = documents_of(write(tmp_path, "x.jsonl", hostile + line(title="z")))
    assert [(each.title, each.meta.doi) for each in documents] == [("A title", None), ("z", None)]
    with soon():
        assert find_doi("10.1234/a" + ").,]" * 500_000) == "10.1234/a"


@pytest.mark.parametrize("cells", [f"a{' ' * 40_000}b", f"a;{' ' * 40_000};b and{' ' * 40_000}c"])
def test_white_space_within_a_list_is_split_soon(tmp_path: Path, cells: str) -> None:
    table = f"title,authors,type\nA,{cells},{cells}\n"
    with soon():
        (document,) = documents_of(write(tmp_path, "x.csv", table))
    assert document.meta.authors in {("a b",), ("a", "b", "c")}


def test_a_header_that_repeats_a_name_is_read_soon(tmp_path: Path) -> None:
    with soon():
        assert find_columns(["ti"] * 500_000)
    with soon():
        rows = ",".join(["ti"] * 100_000) + "\n" + "a\n" * 2_000
        assert len(documents_of(write(tmp_path, "x.csv", rows))) == 2_000


def test_an_entry_of_white_space_is_recognised_soon() -> None:
    with soon():
        assert not is_bibtex(b"@a{" + b" " * 64_000, Path())
    assert is_bibtex(b"@a{ key ,", Path())


def test_many_paragraphs_of_a_ris_record_are_joined_soon(tmp_path: Path) -> None:
    lines = "".join(f"AB  - {number}\n" for number in range(60_000))
    with soon(6):
        _, (failure,) = outcome(write(tmp_path, "x.ris", f"TY  - JOUR\nTI  - a\n{lines}ER  - \n"))
    assert "abstract" in failure.reason


def test_many_strings_of_bibtex_are_resolved_soon(tmp_path: Path) -> None:
    strings = "".join(f"@string{{s{number} = {{x}}}}\n" for number in range(3_000))
    entries = "".join(f"@misc{{k{number}, title = {{T}}}}\n" for number in range(2_000))
    with soon(8):
        assert len(documents_of(write(tmp_path, "x.bib", strings + entries))) == 2_000


@pytest.mark.parametrize("field", ["title", "abstract", "venue", "url", "language", "doi", "note"])
def test_a_field_that_is_too_long_is_refused_by_name(tmp_path: Path, field: str) -> None:
    start = "10.1234/" if field == "doi" else ""
    fits = start + "x" * (LONGEST[field] - len(start))
    path = write(tmp_path, "x.jsonl", line(**{field: fits}) + line(**{field: fits + "x"}))
    (_,), (failure,) = outcome(path)
    assert failure.line == 2
    assert f"The record's {field} has {len(fits) + 1:,} characters" in failure.reason


def test_the_sentences_of_an_abstract_count_together(tmp_path: Path) -> None:
    sentences = ["x" * (LONGEST["abstract"] // 2)] * 3
    _, (failure,) = outcome(write(tmp_path, "x.jsonl", line(sentences=sentences)))
    assert "abstract" in failure.reason


@pytest.mark.parametrize(
    "values", [{"authors": ["x"] * (MOST_VALUES + 1)}, {"authors": ["x" * 5_000]}]
)
def test_too_many_or_too_long_authors_are_refused(tmp_path: Path, values: dict[str, Any]) -> None:
    _, (failure,) = outcome(write(tmp_path, "x.jsonl", line(**values)))
    assert "authors" in failure.reason


def test_a_doi_run_together_with_prose_is_no_doi_and_no_failure(tmp_path: Path) -> None:
    record = f"TY  - JOUR\nTI  - A\nN1  - DOI:10.1234/abc{'文' * 400}\nER  - \n"
    (document,) = documents_of(write(tmp_path, "x.ris", record))
    assert document.meta.doi is None


def test_runs_of_combining_marks_are_refused(tmp_path: Path) -> None:
    # Normalising them takes time that grows with the square of their number.
    marks = "\u0301\u0327" * 90_000
    with soon():
        _, (failure,) = outcome(write(tmp_path, "x.jsonl", line(abstract=f"a{marks}")))
    assert "combining marks" in failure.reason


def test_latex_that_is_too_long_is_not_decoded(tmp_path: Path) -> None:
    entry = f"@misc{{a, title={{A}}, abstract={{{'$x$ ' * 400_000}}}}}\n@misc{{z, title={{z}}}}\n"
    with soon(10):
        documents, (failure,) = outcome(write(tmp_path, "x.bib", entry))
    assert [document.title for document in documents] == ["z"]
    assert "abstract" in failure.reason


HOSTILE = {
    "csl-json": ['[{"type": "' + "a" * 12_000_000, "[" + "," * 5_000_000, "[" + "[" * 1_000_000],
    "openalex": [
        '{"results": [' + '{"a": ' * 200_000,
        '{"results": [{"abstract_inverted_index": {"a": [' + "1," * 2_000_000 + "1]}}]}",
        '"result" ' * 50_000,
    ],
    "europepmc": [
        '{"result": [' + '"' * 300_000,
        '{"resultList": [{"authorString": "' + "," * 10**6,
    ],
    "wos": ["PT J\nAU " + "   \n" * 500_000, "PT J\nTI a\nDT " + ";" * 3_000_000 + "\nER\n"],
    "wos-tab": ["PT\tAU\tTI\n" + "\t" * 5_000_000, "PT\tTI" + "\tAU" * 1_000_000 + "\nJ\ta\n"],
    "enw": ["%0 A\n%A " + "x and " * 500_000 + "\n%T T\n", "%0 B\n" + "%Z a\n" * 300_000],
    "pubmed-text": [
        "1: " + "Doe J, " * 500_000 + "PMID: 1",
        "1: " + "A. b" * 500_000 + " PMID: 1",
        "1: " + " " * 3_000_000 + "PMID: 1",
        "1. a\n\n" + "2. b\n\n" * 300_000,
        "1: a PMID: 1\n\n" * 20_000,
    ],
    "endnote-xml": [
        "<records>" + "<record>" * 200_000,
        "<records><record><notes>" + "a:" * 2 * 10**6,
    ],
}


@pytest.mark.parametrize(
    ("name", "content"), [(name, each) for name, many in HOSTILE.items() for each in many]
)
def test_hostile_exports_end_soon(tmp_path: Path, name: str, content: str) -> None:
    with soon(6):
        documents, failures = outcome(write(tmp_path, "x", content), forced=name)
    assert len(documents) <= 2
    assert documents or failures
    assert all(failure.reason.endswith(".") for failure in failures)
