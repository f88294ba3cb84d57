import pytest

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.scorer import Pair, relevance
from claimscope.stages.select.pair_selector import RelevanceSelector, chosen
from claimscope.types import Candidate, Case, Claim, RationaleSentence, Score
from tests.conftest import document
from tests.tiny_models import TinyModels

CLAIM = Claim("aspirin lowers the risk of heart attack")
CASE = Case(CLAIM, (Candidate(document("aspirin")), Candidate(document("editorial"))))


def sentence(index: int, probability: float) -> RationaleSentence:
    return RationaleSentence(index, Score(probability, probability))


def test_the_threshold_itself_passes_and_the_best_comes_first() -> None:
    found = [sentence(0, 0.5), sentence(1, 0.499999), sentence(2, 0.9), sentence(3, 0.5)]
    assert [item.index for item in chosen(found, 0.5)] == [2, 0, 3]
    assert [item.index for item in chosen(found, 0.5, n=2)] == [2, 0]
    assert chosen(found, 0.95) == ()


def test_the_order_of_the_abstract_does_not_change_what_is_chosen() -> None:
    found = [sentence(0, 0.5), sentence(1, 0.4), sentence(2, 0.9), sentence(3, 0.6)]
    assert [item.index for item in chosen(found, 0.5, order="index")] == [0, 2, 3]
    assert [item.index for item in chosen(found, 0.5, n=2, order="index")] == [2, 3]


@pytest.mark.parametrize("name", ["verisci-rationale", "vert5erini-sentence"])
def test_sentences_are_scored_one_by_one(tiny: TinyModels, name: str) -> None:
    models = tiny.models()
    [after] = RelevanceSelector(name, threshold=0.0, models=models).run([CASE])
    pairs = [Pair(CLAIM.text, text) for text in document("aspirin").sentences]
    expected = [score.raw for score in relevance(models.scorer(name), pairs)]
    got = {item.index: item.score.raw for item in after.candidates[0].rationale}
    assert [got[index] for index in range(3)] == pytest.approx(expected, abs=1e-5)
    assert list(got.values()) == sorted(got.values(), reverse=True)
    assert after.candidates[1].rationale == ()


def test_sentences_can_be_given_in_the_order_of_the_abstract(tiny: TinyModels) -> None:
    stage = RelevanceSelector("verisci-rationale", 0.0, order="index", models=tiny.models())
    [after] = stage.run([CASE])
    assert [item.index for item in after.candidates[0].rationale] == [0, 1, 2]


def test_parameters_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="chance"):
        RelevanceSelector("x", order="chance")
    with pytest.raises(ConfigurationError, match=r"not 0 and 1\.5"):
        RelevanceSelector("x", threshold=1.5)
    with pytest.raises(ConfigurationError, match=r"not -1 and 0\.5"):
        RelevanceSelector("x", n=-1)
