"""Likeness beside an earlier score: the sum, its order, and what cannot be added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.loader import Models
from claimscope.models.text_encoder import TextEncoder, Vectors
from claimscope.stages.rerank.vectors import VectorReranker, likeness, summed
from claimscope.types import Candidate, Case, Claim, Document, Score

CLAIM = Claim("Aspirin lowers the risk of heart attack", "1")
PLACES = {
    CLAIM.text: (1.0, 0.0),
    "Aspirin and infarction": (1.0, 0.0),
    "Heart attack": (0.6, 0.8),
    "The opposite": (-1.0, 0.0),
}


class Known:
    """An encoder that knows where a few texts lie."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.array([PLACES[text.strip()] for text in texts], dtype=np.float32)


@dataclass
class KnownModels(Models):
    """Models of which one encoder is known."""

    asked: list[str] = field(default_factory=list)

    def encoder(self, model: str) -> TextEncoder:
        self.asked.append(model)
        return Known()


def found(scores: Mapping[str, float]) -> Case:
    """A case whose documents, named by their titles, BM25 has scored."""
    documents = [Document(title, title) for title in scores]
    candidates = tuple(
        Candidate(each, scores={"retrieve.bm25": Score(scores[each.title])}) for each in documents
    )
    return Case(CLAIM, candidates)


def order(case: Case) -> list[str]:
    return [item.document.id for item in case.candidates]


def test_a_document_that_means_the_same_goes_before_one_with_more_of_the_words() -> None:
    case = found({"Heart attack": 10.0, "The opposite": 9.0, "Aspirin and infarction": 8.0})
    [ranked] = VectorReranker(weight=1.0, k=3, models=KnownModels()).run([case])
    assert order(ranked) == ["Aspirin and infarction", "Heart attack", "The opposite"]
    scores = [item.scores["rerank.vectors"].raw for item in ranked.candidates]
    assert scores == pytest.approx([0.8 + 1.0, 1.0 + 0.6, 0.9 + 0.0])
    assert [item.scores["retrieve.bm25"].raw for item in ranked.candidates] == [8.0, 10.0, 9.0]


def test_without_weight_the_order_stays_and_k_cuts() -> None:
    case = found({"Heart attack": 10.0, "The opposite": 9.0, "Aspirin and infarction": 8.0})
    [ranked] = VectorReranker(weight=0.0, k=2, models=KnownModels()).run([case])
    assert order(ranked) == ["Heart attack", "The opposite"]


def test_nothing_found_opens_no_model() -> None:
    models = KnownModels()
    [ranked] = VectorReranker(models=models).run([Case(CLAIM)])
    assert ranked.candidates == ()
    assert models.asked == []


def test_documents_that_were_named_have_no_score_to_add_to() -> None:
    document = Document("Heart attack", "Heart attack")
    with pytest.raises(ConfigurationError, match=r"rerank\.vectors needs the score"):
        VectorReranker(models=KnownModels()).run([Case(CLAIM, (Candidate(document),))])


def test_settings_that_mean_nothing_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="weight"):
        VectorReranker(weight=-0.1)
    with pytest.raises(UnknownNameError, match="content"):
        VectorReranker(content="titel")
    with pytest.raises(ConfigurationError, match="'k'"):
        VectorReranker(k=0)


def test_likeness_is_the_cosine_and_never_negative() -> None:
    assert likeness(Known(), CLAIM.text, ["Heart attack", "The opposite"]) == pytest.approx(
        [0.6, 0]
    )


@given(
    st.lists(
        st.tuples(st.floats(0, 1e6), st.floats(0, 1)),
        min_size=1,
        max_size=20,
    ),
    st.floats(0, 5),
)
def test_sums_lie_between_nothing_and_all(rows: list[tuple[float, float]], weight: float) -> None:
    scores = summed([score for score, _ in rows], [like for _, like in rows], weight)
    assert all(0 <= score <= 1 + weight + 1e-9 for score in scores)
    best = max(range(len(rows)), key=lambda place: rows[place])
    if rows[best][1] == max(like for _, like in rows):
        assert scores[best] == max(scores), "the best in both is the best of all"


def test_where_no_word_was_found_likeness_decides() -> None:
    assert summed([0.0, 0.0], [0.2, 0.7], 1.0) == pytest.approx([1.2, 1.7])
