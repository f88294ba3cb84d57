import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.stages.retrieve.in_memory import TfIdf

WORDS = st.lists(st.sampled_from(["zinc", "colds", "vitamin", "trial", "the", "α"]), max_size=8)
TEXTS = st.lists(WORDS.map(" ".join), max_size=8)


def test_score_by_hand() -> None:
    scores = TfIdf(["zinc cold", "zinc"], bigrams=False).scores("zinc")
    zinc, cold = 1.0, math.log(3 / 2) + 1
    assert list(scores) == pytest.approx([zinc / math.hypot(zinc, cold), 1.0])


def test_a_pair_of_words_counts_in_its_order() -> None:
    scores = TfIdf(["zinc cures colds", "colds cures zinc"]).scores("zinc cures colds")
    assert scores[0] == pytest.approx(1)
    assert scores[1] < 1


@given(TEXTS, WORDS.map(" ".join))
def test_similarity_lies_between_zero_and_one(texts: list[str], query: str) -> None:
    scores = TfIdf(texts).scores(query)
    assert len(scores) == len(texts)
    assert all(0 <= score <= 1 + 1e-12 for score in scores)


@given(TEXTS)
def test_a_text_is_most_similar_to_itself(texts: list[str]) -> None:
    index = TfIdf(texts)
    for place, text in enumerate(texts):
        score = index.scores(text)[place]
        assert score == pytest.approx(1) or not index.search(text, 1)
