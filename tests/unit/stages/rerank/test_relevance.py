from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.loader import Models
from claimscope.models.scorer import Matrix, Pair, Scorer
from claimscope.stages.rerank.pair_reranker import RelevanceReranker, windows
from claimscope.text import split_sentences
from claimscope.types import Candidate, Case, Claim, Document
from tests.tiny_models import TinyModels


@dataclass
class Lengths:
    """A scorer by rule: the probability is 1/2 at ten characters, and grows with the length."""

    read: list[Pair] = field(default_factory=list)
    labels: ClassVar[tuple[str, ...]] = ("irrelevant", "relevant")

    def logits(self, pairs: list[Pair]) -> Matrix:
        self.read += pairs
        return np.array([[0.0, len(pair.evidence) - 10.0] for pair in pairs])


class ByRule(Models):
    """Models in which every name leads to one scorer."""

    def __init__(self, scorer: Scorer) -> None:
        super().__init__()
        self.only = scorer

    def scorer(self, model: str) -> Scorer:
        return self.only


def paper(name: str, title: str, abstract: str = "") -> Candidate:
    return Candidate(Document(name, title, abstract, split_sentences(abstract)))


SHORT, EXACT, LONG = paper("a", "short"), paper("b", "ten chars."), paper("c", "a longer title")
CASE = Case(Claim("claim"), (SHORT, LONG, EXACT, paper("d", "another long title")))


def run(case: Case = CASE, **parameters: object) -> list[str]:
    stage = RelevanceReranker("x", models=ByRule(Lengths()), **parameters)  # type: ignore[arg-type]
    [after] = stage.run([case])
    return [item.document.id for item in after.candidates]


def test_the_best_come_first_and_k_are_kept() -> None:
    assert run(content="title", k=9) == ["d", "c", "b", "a"]
    assert run(content="title", k=2) == ["d", "c"]


def test_surplus_is_cut_by_chance_the_same_for_the_same_seed() -> None:
    def kept(seed: int) -> list[str]:
        return run(content="title", order="chance", threshold=0.5, k=2, seed=seed)

    found = {tuple(kept(seed)) for seed in range(30)}
    assert found == {("c", "b"), ("c", "d"), ("b", "d")}, "two of three, in the order they came"
    assert kept(7) == kept(7)
    assert run(content="title", order="chance", threshold=0.5, k=3) == ["c", "b", "d"]


def test_a_classifier_keeps_the_relevant_in_the_order_they_came() -> None:
    assert run(content="title", order="incoming", threshold=0.5, k=3) == ["c", "b", "d"]
    assert run(content="title", order="incoming", threshold=0.5, k=2) == ["c", "b"]


def test_the_threshold_itself_passes() -> None:
    assert "b" in run(content="title", threshold=0.5, k=9)
    assert "b" not in run(content="title", threshold=0.5000001, k=9)


def test_none_may_be_relevant() -> None:
    assert run(Case(Claim("c"), (SHORT,)), content="title", threshold=0.5) == []


def test_scores_are_log_probabilities() -> None:
    stage = RelevanceReranker("x", content="title", models=ByRule(Lengths()))
    [after] = stage.run([Case(Claim("c"), (EXACT,))])
    score = after.candidates[0].scores["rerank.relevance"]
    assert score.raw == pytest.approx(np.log(0.5))
    assert score.probability == pytest.approx(0.5)


ABSTRACT = "One here. Two is here. Three is long here. Four. Five. Six. Seven. Eight. Nine. Ten."


def test_windows_overlap_and_the_last_is_not_inside_the_one_before() -> None:
    sentences = tuple("abcdefghij")
    assert windows(sentences, 6, 3) == ["a b c d e f", "d e f g h i", "g h i j"]
    assert windows(sentences, 8, 4) == ["a b c d e f g h", "e f g h i j"]
    assert windows(sentences[:6], 6, 3) == ["a b c d e f"]
    assert windows(sentences[:2], 6, 3) == ["a b"]
    assert windows((), 6, 3) == [""]


def test_the_best_window_counts() -> None:
    scorer = Lengths()
    candidate = paper("a", "Title", ABSTRACT)
    stage = RelevanceReranker("x", window=2, stride=1, models=ByRule(scorer))
    [after] = stage.run([Case(Claim("c"), (candidate,))])
    assert [pair.evidence for pair in scorer.read][:3] == [
        "One here. Two is here.",
        "Two is here. Three is long here.",
        "Three is long here. Four.",
    ]
    best = max(len(pair.evidence) for pair in scorer.read)
    expected = -np.log1p(np.exp(10.0 - best))
    assert after.candidates[0].scores["rerank.relevance"].raw == pytest.approx(expected)


def test_windows_may_begin_with_the_title() -> None:
    scorer = Lengths()
    stage = RelevanceReranker("x", window=8, title=True, models=ByRule(scorer))
    stage.run([Case(Claim("c"), (paper("a", "Title", ABSTRACT),))])
    assert all(pair.evidence.startswith("Title ") for pair in scorer.read)
    assert len(scorer.read) == 2


def test_what_is_read_of_a_document() -> None:
    expected = {
        "title": "Title",
        "abstract": "One here.",
        "title-and-abstract": "Title One here.",
        "title-glued-to-abstract": "TitleOne here.",
    }
    for content, text in expected.items():
        scorer = Lengths()
        stage = RelevanceReranker("x", content=content, models=ByRule(scorer))
        stage.run([Case(Claim("c"), (paper("a", "Title", "One here."),))])
        assert scorer.read == [Pair("c", text)]


def test_a_real_window_model_gives_the_best_of_its_windows(tiny: TinyModels) -> None:
    models = tiny.models()
    candidate = paper("a", "Title", ABSTRACT)
    stage = RelevanceReranker("monot5-3b-msmarco", window=6, stride=3, models=models)
    [after] = stage.run([Case(Claim("aspirin"), (candidate,))])
    from claimscope.models.scorer import relevance

    texts = windows(candidate.document.sentences, 6, 3)
    scores = relevance(
        models.scorer("monot5-3b-msmarco"), [Pair("aspirin", text) for text in texts]
    )
    best = max(score.raw for score in scores)
    assert after.candidates[0].scores["rerank.relevance"].raw == pytest.approx(best, abs=1e-5)
    assert len({round(score.raw, 4) for score in scores}) == 3


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 0}, "at least 1"),
        ({"content": "figures"}, "kind of content named 'figures'"),
        ({"order": "random"}, "order named 'random'"),
        ({"window": 6, "stride": 7}, "between 1 and the window"),
        ({"window": 1}, "between 1 and the window"),
        ({"stride": 3}, "between 1 and the window"),
    ],
)
def test_parameters_are_checked(parameters: dict[str, object], message: str) -> None:
    with pytest.raises((ConfigurationError, UnknownNameError), match=message):
        RelevanceReranker("x", **parameters)  # type: ignore[arg-type]
