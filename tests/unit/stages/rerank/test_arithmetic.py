"""The rerankers that only weigh what earlier stages said: cut, drop-off, ensemble, ComboScorer."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.stages.rerank.combo import ComboScorer, min_max
from claimscope.stages.rerank.cut import Cut, DropOff, Ensemble, first_drop
from claimscope.types import Candidate, Case, Claim, Document, LabelProbabilities, Score

STAGE = "rerank.relevance"


def case(*scores: float, labels: tuple[LabelProbabilities, ...] = ()) -> Case:
    return Case(
        Claim("c"),
        tuple(
            Candidate(
                Document(f"d{place}", ""),
                {STAGE: Score(score, 1 / (1 + math.exp(-score)))},
                labels=labels[place] if labels else None,
            )
            for place, score in enumerate(scores)
        ),
    )


def ids(case: Case) -> list[str]:
    return [item.document.id for item in case.candidates]


@pytest.mark.parametrize(
    ("share", "kept"), [(0.0, "d0 d1 d2"), (0.5, "d0 d1"), (0.51, "d0"), (1.0, "d0")]
)
def test_the_cut_keeps_what_scores_its_share_of_the_best(share: float, kept: str) -> None:
    [after] = Cut(k=3, share=share).run([case(8.0, 4.0, 1.0, 0.5)])
    assert ids(after) == kept.split()
    assert Cut(share=share).run([case()])[0].candidates == ()


def test_the_cut_refuses_a_share_beyond_one() -> None:
    with pytest.raises(ConfigurationError, match="between 0 and 1"):
        Cut(share=1.5)


def drop_off(mode: str, *scores: float, k: int = 3) -> list[str]:
    [after] = DropOff(k=k, mode=mode).run([case(*scores)])
    return ids(after)


def test_the_fixed_cut_keeps_what_lies_before_the_drop() -> None:
    assert drop_off("fixed", 1.0, 9.9, 10.0, 9.8) == ["d2", "d1", "d3"]
    assert drop_off("fixed", 1.0, 9.9, 10.0, 5.0) == ["d2", "d1"]
    assert drop_off("fixed", 1.0, 5.0, 10.0) == ["d2"]


def test_the_papers_cut_searches_the_order_in_which_documents_came() -> None:
    # Normalised in BM25's order: 0.11, 1, 0.99, 0. The first drop above 5 % is at place 3.
    assert drop_off("paper", 2.0, 10.0, 9.9, 1.0) == ["d1", "d2", "d0"]
    assert drop_off("fixed", 2.0, 10.0, 9.9, 1.0) == ["d1", "d2"]
    # Here it is at place 1, which cuts the sorted list to its best.
    assert drop_off("paper", 9.9, 5.0, 10.0, 1.0) == ["d2"]


def test_at_least_one_and_at_most_k_are_kept() -> None:
    assert drop_off("fixed", 3.0) == ["d0"]
    assert drop_off("paper", 3.0) == ["d0"]
    assert drop_off("fixed", 5.0, 5.0, 5.0, 5.0) == ["d0", "d1", "d2"]
    assert DropOff().run([Case(Claim("c"))]) == [Case(Claim("c"))]


def test_a_drop_of_exactly_the_share_is_none() -> None:
    assert first_drop([1.0, 0.5, 0.25], 0.5) == 3
    assert first_drop([1.0, 0.5, 0.24], 0.5) == 2
    assert first_drop([0.0, 1.0, 0.0], 0.05) == 2


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20), st.sampled_from(["paper", "fixed"]))
def test_it_keeps_some_of_the_best(scores: list[float], mode: str) -> None:
    kept = drop_off(mode, *scores)
    assert 1 <= len(kept) <= 3
    values = [scores[int(name[1:])] for name in kept]
    assert sorted(scores, reverse=True)[: len(kept)] == pytest.approx(values, abs=1e-12)


def test_min_max() -> None:
    assert min_max([2.0, 4.0, 3.0]) == [0.0, 1.0, 0.5]
    assert min_max([2.0, 2.0]) == [1.0, 1.0]
    assert min_max([]) == []


def test_the_ensemble_adds_the_best_of_the_rest() -> None:
    [after] = Ensemble(n=2).run([case(1.0, 2.0, 0.5, 9.0, 3.0)])
    assert ids(after) == ["d0", "d1", "d3"]
    [after] = Ensemble(n=2).run([case(1.0, 9.0, 0.5)])
    assert ids(after) == ["d0", "d1"]


def test_an_absent_score_is_named() -> None:
    with pytest.raises(
        ConfigurationError, match=r"needs the score of judge\.x \(there are: rerank"
    ):
        Ensemble(scored_by="judge.x").run([case(1.0)])
    bare = Case(Claim("c"), (Candidate(Document("d", "")),))
    with pytest.raises(ConfigurationError, match=r"of an earlier stage \(there are: none\)"):
        DropOff().run([bare])


LABELS = (
    LabelProbabilities(0.1, 0.1, 0.8),
    LabelProbabilities(0.5, 0.4, 0.1),
    LabelProbabilities(0.0, 0.6, 0.4),
)


def combo(**parameters: object) -> dict[str, float]:
    stage = ComboScorer(k=9, **parameters)  # type: ignore[arg-type]
    [after] = stage.run([case(2.0, -1.0, 0.0, labels=LABELS)])
    return {item.document.id: item.scores["rerank.combo"].raw for item in after.candidates}


def test_alpha_weighs_verification_against_relevance() -> None:
    relevance = [1 / (1 + math.exp(-value)) for value in (2.0, -1.0, 0.0)]
    verification = [0.2, 0.9, 0.6]
    for alpha in (0.0, 0.3, 0.5, 1.0):
        expected = {
            f"d{place}": alpha * verification[place] + (1 - alpha) * relevance[place]
            for place in range(3)
        }
        got = combo(alpha=alpha)
        assert got == pytest.approx(expected)
        assert list(got) == sorted(expected, key=lambda name: -expected[name])


def test_the_published_scale_doubles_the_sigmoid_of_the_log_probability() -> None:
    probability = 1 / (1 + math.exp(-2.0))
    doubled = 2 / (1 + math.exp(-math.log(probability)))
    assert combo(alpha=0.0, scale="doubled-sigmoid")["d0"] == pytest.approx(doubled)


def test_scores_without_a_probability_can_be_stretched() -> None:
    assert combo(alpha=0.0, scale="min-max") == pytest.approx({"d0": 1.0, "d2": 1 / 3, "d1": 0.0})
    bare = Candidate(Document("d", ""), {STAGE: Score(3.0)}, labels=LABELS[0])
    with pytest.raises(ConfigurationError, match="use the scale 'min-max'"):
        ComboScorer().run([Case(Claim("c"), (bare,))])


def test_parameters_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="between 0 and 1, not 2"):
        ComboScorer(alpha=2.0)
    with pytest.raises(UnknownNameError, match="scale named 'log'"):
        ComboScorer(scale="log")
    with pytest.raises(UnknownNameError, match="mode named 'both'"):
        DropOff(mode="both")
    with pytest.raises(ConfigurationError, match="below 1, not 1"):
        DropOff(drop=1.0)
