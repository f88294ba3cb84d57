import pytest

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.models.scorer import Pair, probabilities
from claimscope.stages.decide.classifier import ClaimClassifier
from claimscope.stages.decide.votes import CovidTwoLabels
from claimscope.types import Candidate, Case, Claim, Document, LabelProbabilities, Metadata
from tests.conftest import document
from tests.tiny_models import TinyModels

SUPPORT = LabelProbabilities(0.4, 0.3, 0.3)
REFUTE = LabelProbabilities(0.1, 0.8, 0.1)
SILENCE = LabelProbabilities(0.1, 0.1, 0.8)


def verdict(*labels: LabelProbabilities, retracted: bool = False) -> Label:
    candidates = tuple(
        Candidate(Document(str(place), "", meta=Metadata(retracted=retracted)), labels=each)
        for place, each in enumerate(labels)
    )
    [case] = CovidTwoLabels().run([Case(Claim("c"), candidates)])
    assert case.verdict is not None
    return case.verdict.label


def test_any_support_supports_and_all_else_refutes() -> None:
    assert verdict(REFUTE, SUPPORT, SILENCE) is Label.SUPPORTS
    assert verdict(REFUTE, SILENCE) is Label.REFUTES
    assert verdict(SILENCE, SILENCE) is Label.REFUTES
    assert verdict() is Label.REFUTES


def test_a_retracted_paper_does_not_support() -> None:
    assert verdict(SUPPORT, retracted=True) is Label.REFUTES


def test_the_likeliest_of_four_labels(tiny: TinyModels) -> None:
    models = tiny.models()
    documents = [document("aspirin"), document("tea")]
    case = Case(Claim("aspirin"), tuple(map(Candidate, documents)))
    [after, empty] = ClaimClassifier("climate-label", models=models).run([case, Case(Claim("x"))])
    text = f"{documents[0].abstract} {documents[1].abstract}"
    row = probabilities(models.scorer("climate-label").logits([Pair("aspirin", text)]))[0]
    order = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO, Label.DISPUTED)
    assert after.verdict is not None
    assert after.verdict.label is order[int(row.argmax())]
    assert after.verdict.confidence == pytest.approx(row.max())
    assert "2 passages" in after.verdict.rule.statement
    assert empty.verdict is not None
    assert empty.verdict.label is Label.NOT_ENOUGH_INFO


def test_a_three_label_model_is_refused(tiny: TinyModels) -> None:
    case = Case(Claim("aspirin"), (Candidate(document("aspirin")),))
    with pytest.raises(ConfigurationError, match="DISPUTED"):
        ClaimClassifier("verisci-label", models=tiny.models()).run([case])
