"""Our sparse retrievers against the packages that the papers use."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from claimscope.stages.retrieve.analysis import STOP_WORDS
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.stages.retrieve.in_memory import TfIdf

SCIFACT = (
    Path(os.environ.get("CLAIMSCOPE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    / "scifact"
)


Source = Callable[[], tuple[list[str], list[str]]]
"""Gives texts and queries."""


def made() -> tuple[list[str], list[str]]:
    """Make texts with Zipf's word frequencies, so that some words are in most texts."""
    chance = random.Random(7)
    words = ["the", "of", "In", *(f"word{number}" for number in range(400)), "β-cell", "x"]
    weights = [1 / rank for rank in range(1, len(words) + 1)]

    def text(length: int) -> str:
        return " ".join(chance.choices(words, weights, k=length))

    return [text(chance.randint(0, 120)) for _ in range(300)], [text(12) for _ in range(40)]


def scifact() -> tuple[list[str], list[str]]:
    if not SCIFACT.is_dir():
        pytest.skip("SciFact is not there; set CLAIMSCOPE_DATA to the folder that holds scifact/.")
    corpus = (SCIFACT / "corpus.jsonl").read_text("utf-8").splitlines()[::5]
    claims = (SCIFACT / "claims_dev.jsonl").read_text("utf-8").splitlines()[::10]
    documents = map(json.loads, corpus)
    texts = [" ".join([document["title"], *document["abstract"]]) for document in documents]
    return texts, [json.loads(line)["claim"] for line in claims]


SOURCES = pytest.mark.parametrize("source", [made, scifact])


@SOURCES
def test_tfidf_scores_equal_scikit_learn(source: Source) -> None:
    texts, queries = source()
    vectoriser = TfidfVectorizer(stop_words="english", ngram_range=(1, 2))
    documents = vectoriser.fit_transform(texts)
    expected = (vectoriser.transform(queries) @ documents.T).toarray()
    ours = TfIdf(texts)
    for query, row in zip(queries, expected, strict=True):
        np.testing.assert_allclose(ours.scores(query), row, atol=1e-12)


@SOURCES
def test_okapi_scores_equal_rank_bm25(source: Source) -> None:
    texts, queries = source()
    theirs = BM25Okapi([text.split() for text in texts], k1=1.5, b=0.75)
    ours = BM25(texts, k1=1.5, b=0.75, method="okapi", analyser="whitespace")
    for query in queries:
        np.testing.assert_allclose(ours.scores(query), theirs.get_scores(query.split()), atol=1e-9)


@SOURCES
def test_robertson_ranks_as_rank_bm25_where_no_word_is_in_half_of_the_texts(source: Source) -> None:
    texts, queries = source()
    tokens = [text.split() for text in texts]
    theirs = BM25Okapi(tokens, k1=0.9, b=0.4)
    ours = BM25(texts, k1=0.9, b=0.4, method="robertson", analyser="whitespace")
    sets = [set(words) for words in tokens]
    for query in queries:
        rare = [
            word
            for word in query.split()
            if 0 < sum(word in words for words in sets) < len(sets) / 2
        ]
        expected = theirs.get_scores(rare)
        np.testing.assert_allclose(ours.scores(" ".join(rare)) * 1.9, expected, atol=1e-9)


def test_stop_words_are_those_of_scikit_learn() -> None:
    assert STOP_WORDS == ENGLISH_STOP_WORDS
