import math

import pytest

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.stages.retrieve.bm25 import BM25

TEXTS = ["zinc cures colds", "zinc zinc zinc does nothing for colds", "vitamin trials", "", "x y z"]


def test_lucene_score_by_hand() -> None:
    scores = BM25(TEXTS, k1=1.2, b=0.75, method="lucene", analyser="whitespace").scores("zinc")
    idf = math.log(1 + (5 - 2 + 0.5) / (2 + 0.5))
    mean = (3 + 7 + 2 + 0 + 3) / 5
    assert scores[0] == pytest.approx(idf * 1 / (1 + 1.2 * (0.25 + 0.75 * 3 / mean)))
    assert scores[1] == pytest.approx(idf * 3 / (3 + 1.2 * (0.25 + 0.75 * 7 / mean)))
    assert list(scores[2:]) == [0, 0, 0]


def test_equal_texts_keep_their_order() -> None:
    index = BM25(["b a", "a b", "c", "a b", "b a"], analyser="whitespace")
    assert [place for place, _ in index.search("a", 3)] == [0, 1, 3]


def test_a_repeated_word_of_the_query_counts_twice() -> None:
    index = BM25(TEXTS)
    assert index.scores("zinc zinc") == pytest.approx(2 * index.scores("zinc"))


def test_k1_of_zero_ignores_how_often_a_word_occurs() -> None:
    scores = BM25(TEXTS, k1=0).scores("zinc")
    assert scores[0] == scores[1] > 0


def test_b_of_zero_ignores_length() -> None:
    scores = BM25(["zinc", "zinc and many other words", "none"], b=0).scores("zinc")
    assert scores[0] == scores[1] > 0


@pytest.mark.parametrize("method", ["lucene", "robertson", "atire", "okapi"])
@pytest.mark.parametrize("texts", [[], [""], ["", "  "], ["word"]])
def test_small_libraries_and_unknown_words_find_nothing(texts: list[str], method: str) -> None:
    index = BM25(texts, method=method)
    assert len(index) == len(texts)
    assert index.search("absent", 5) == []
    assert index.search("", 5) == []


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="lucene, robertson, atire, okapi"):
        BM25([], method="bm26")
    for k1, b in [(-1, 0.5), (1, 1.5), (math.nan, 0.5), (math.inf, 0.5)]:
        with pytest.raises(ConfigurationError, match="k1"):
            BM25([], k1=k1, b=b)
