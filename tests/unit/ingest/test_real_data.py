"""The field's own corpora are read without a failure, and their sentences are kept."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from claimscope.ingest import read
from claimscope.types import Document


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("scifact/corpus.jsonl", 5183),
        ("check_covid/corpus.jsonl.gz", 347),
        ("corpora/pubmed_structured.jsonl.gz", 6362),
    ],
)
def test_a_corpus_is_read_whole(data_folder: Path, name: str, count: int) -> None:
    items = list(read([data_folder / name]))
    assert len(items) == count
    assert all(isinstance(item, Document) and item.has_abstract for item in items)


@pytest.mark.parametrize("name", ["corpora/pubmed.jsonl.gz", "corpora/arxiv.jsonl.xz"])
def test_a_large_corpus_streams(data_folder: Path, name: str) -> None:
    items = list(islice(read([data_folder / name]), 1000))
    assert all(isinstance(item, Document) and item.has_abstract for item in items)


@pytest.mark.parametrize("name", ["scifact/corpus.jsonl", "check_covid/corpus.jsonl.gz"])
def test_sentences_are_those_of_the_corpus(data_folder: Path, name: str) -> None:
    path = data_folder / name
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for item, line in zip(read([path]), data.splitlines(), strict=True):
        assert isinstance(item, Document)
        expected = json.loads(line)["abstract"]
        assert len(item.sentences) == len(expected)
        if all(sentence.isprintable() for sentence in expected):
            assert list(item.sentences) == [sentence.strip() for sentence in expected]
