from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.ingest.assemble import assemble
from claimscope.ingest.cleaning import clean_text
from claimscope.library.writers.json_lines import to_json_line
from claimscope.types import Metadata

from .helpers import documents_of, outcome, write


def lines(*records: object) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def test_our_own_format_keeps_every_field(tmp_path: Path) -> None:
    record = {
        "id": "who-1",
        "title": "Coffee",
        "abstract": "Coffee delays sleep. It does.",
        "doi": "doi:10.1000/X",
        "pmid": 7,
        "year": 2019,
        "venue": "J Sleep",
        "authors": ["Müller, Anna", "Doe, J"],
        "url": "https://example.org",
        "language": "en",
        "publication_types": ["Review"],
        "study_type": "cohort",
        "retracted": True,
        "note": "A summary.",
    }
    (document,) = documents_of(write(tmp_path, "own.jsonl", lines(record)))
    assert (document.id, document.title) == ("who-1", "Coffee")
    assert document.sentences == ("Coffee delays sleep.", "It does.")
    meta = document.meta
    assert (meta.doi, meta.pmid, meta.year, meta.venue) == ("10.1000/x", "7", 2019, "J Sleep")
    assert (meta.authors, meta.url) == (("Müller, Anna", "Doe, J"), "https://example.org")
    assert (meta.language, meta.publication_types) == ("en", ("Review",))
    assert (meta.study_type, meta.retracted, meta.note) == ("cohort", True, "A summary.")
    assert meta.source == "own.jsonl"


def test_given_spans_and_sentences_are_kept_exactly(tmp_path: Path) -> None:
    spans = {
        "id": "a",
        "title": "",
        "abstract": "Dr. X  came. He  left.",
        "spans": [[0, 12], [13, 22]],
    }
    sentences = {"id": "b", "title": "", "sentences": [" One, e.g. this ", "", "two"]}
    first, second = documents_of(write(tmp_path, "own.jsonl", lines(spans, sentences)))
    assert first.sentences == ("Dr. X  came.", "He  left.")
    assert second.sentences == ("One, e.g. this", "", "two")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"title": ["a"]}, "'title' must be a text, not a list"),
        ({"title": "a", "authors": [1]}, "'authors' must hold texts only"),
        ({"title": "a", "retracted": "yes"}, "'retracted' must be true or false"),
        ({"title": "a", "abstract": "abc", "spans": [[0, 9]]}, "within the abstract"),
        ({"title": "a", "abstract": "abc", "spans": [[2, 3], [0, 1]]}, "in order"),
        ({"title": "a", "abstract": "abc", "spans": {"0": 1}}, "must be a list"),
        ({"title": "a", "id": "x" * 301}, "may have 300"),
        ({"title": " ", "abstract": None}, "neither a title nor an abstract"),
        (["title"], "not an object"),
        (7, "not an object"),
    ],
)
def test_a_bad_record_is_reported_and_the_rest_is_kept(
    tmp_path: Path, record: Any, words: str
) -> None:
    path = write(tmp_path, "own.jsonl", lines({"title": "first"}, record, {"title": "last"}))
    documents, (failure,) = outcome(path)
    assert [document.title for document in documents] == ["first", "last"]
    assert failure.line == 2
    assert words in failure.reason


@pytest.mark.parametrize(
    "line", ["{broken", '{"title": "a"} trailing', '{"year": ' + "9" * 5000 + "}"]
)
def test_a_line_that_is_not_json_is_reported(tmp_path: Path, line: str) -> None:
    path = write(
        tmp_path, "own.jsonl", f'{{"title": "first"}}\r\n\r\n{line}\r\n{{"title": "last"}}'
    )
    documents, (failure,) = outcome(path)
    assert len(documents) == 2
    assert failure.line == 3


def test_deep_nesting_is_reported(tmp_path: Path) -> None:
    line = '{"title": ' + "[" * 100_000 + "]" * 100_000 + "}"
    _, (failure,) = outcome(write(tmp_path, "own.jsonl", f'{{"title": "first"}}\n{line}\n'))
    assert "nested too deeply" in failure.reason


def test_scifact_keeps_its_sentences(tmp_path: Path) -> None:
    record = {
        "doc_id": 4983,
        "title": "T",
        "abstract": ["One e.g. A.", "Two."],
        "structured": False,
    }
    (document,) = documents_of(write(tmp_path, "corpus.jsonl", lines(record)))
    assert (document.id, document.abstract) == ("4983", "One e.g. A. Two.")
    assert document.sentences == ("One e.g. A.", "Two.")


def test_scifact_has_relatives(tmp_path: Path) -> None:
    records = [
        {"cord_id": "8vp57c1o", "title": "A", "abstract": ["One."]},
        {"doc_id": "acc-phys/9", "title": "B", "abstract": "One. Two."},
        {
            "doc_id": 3,
            "title": "C",
            "sections": [{"label": "Aim", "text": "One."}, {"text": "Two."}],
        },
        {"title": "no id", "abstract": []},
    ]
    documents, (failure,) = outcome(write(tmp_path, "corpus.jsonl", lines(*records)))
    assert [document.id for document in documents] == ["8vp57c1o", "acc-phys/9", "3"]
    assert documents[1].sentences == ("One.", "Two.")
    assert documents[2].abstract == "AIM: One. Two."
    assert failure.line == 4


def test_beir_is_read(tmp_path: Path) -> None:
    record = {"_id": "MED-10", "title": "T", "text": "One. Two.", "metadata": {"pubmed_id": "9"}}
    (document,) = documents_of(write(tmp_path, "corpus.jsonl", lines(record)))
    assert (document.id, document.meta.pmid) == ("MED-10", "9")
    assert document.sentences == ("One.", "Two.")


METADATA = st.builds(
    Metadata,
    doi=st.none() | st.just("10.1000/x"),
    pmid=st.none() | st.just("123"),
    year=st.none() | st.integers(1500, 2199),
    venue=st.none() | st.text(),
    authors=st.lists(st.text()).map(tuple),
    url=st.none() | st.text(),
    language=st.none() | st.text(),
    publication_types=st.lists(st.text()).map(tuple),
    study_type=st.none() | st.text(),
    sample_size=st.none() | st.integers(1, 999_999_999),
    population=st.none() | st.text(),
    retracted=st.booleans(),
    note=st.none() | st.text(),
    source=st.just("library.jsonl"),
)


@given(title=st.text(), abstract=st.text(), sentences=st.lists(st.text()), meta=METADATA)
def test_what_a_library_exports_is_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    title: str,
    abstract: str,
    sentences: list[str],
    meta: Metadata,
) -> None:
    document = assemble(meta, f"A {title}", abstract, sentences=sentences, identifier="a")
    folder = tmp_path_factory.mktemp("export")
    assert documents_of(write(folder, "library.jsonl", to_json_line(document))) == [document]


@given(title=st.text(), abstract=st.text(), sentences=st.lists(st.text()))
def test_any_text_round_trips_or_fails_cleanly(
    tmp_path_factory: pytest.TempPathFactory, title: str, abstract: str, sentences: list[str]
) -> None:
    records = [
        {"id": "a", "title": title, "abstract": abstract},
        {"id": "b", "title": title, "sentences": sentences},
    ]
    path = write(tmp_path_factory.mktemp("json"), "own.jsonl", lines(*records))
    documents, failures = outcome(path, forced="jsonl")
    assert len(documents) + len(failures) == 2
    for document in documents:
        document.text.encode()
        assert document.title == clean_text(title)
        if document.id == "a":
            assert document.abstract == clean_text(abstract)
        elif document.has_abstract:
            assert len(document.sentences) == len(sentences)
