import pytest

from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.scorer import Pair, stances
from claimscope.models.verifier.joint import Abstract
from claimscope.stages.judge.joint import JointJudge
from claimscope.stages.judge.rationale import RationaleJudge
from claimscope.stages.oracle import certain
from claimscope.types import Candidate, Case, Claim, RationaleSentence, Score
from tests.conftest import document
from tests.tiny_models import TinyModels

ASPIRIN = document("aspirin")
CLAIM = Claim("aspirin lowers the risk of heart attack")
CHOSEN = Candidate(
    ASPIRIN, rationale=(RationaleSentence(1, Score(2.0)), RationaleSentence(0, Score(1.0)))
)
SILENT = Candidate(document("aspirin-old"))
FIRST, SECOND = ASPIRIN.sentences[:2]


def test_sentences_are_joined_in_the_order_of_the_abstract() -> None:
    assert RationaleJudge("x").evidence(CHOSEN) == f"{FIRST} {SECOND}"


def test_vert5erinis_numbering_and_its_colon() -> None:
    judge = RationaleJudge("x", numbering="sentence{number}: ")
    assert judge.evidence(CHOSEN) == f"sentence1: {FIRST} sentence2: {SECOND}"
    slip = RationaleJudge("x", numbering="sentence{number}: ", ending=":")
    assert slip.evidence(CHOSEN) == f"sentence1: {FIRST} sentence2: {SECOND}:"


def test_no_rationale_is_certainly_not_enough_and_needs_no_model() -> None:
    [after] = RationaleJudge("nowhere/at/all", models=Models()).run([Case(CLAIM, (SILENT,))])
    assert after.candidates[0].labels == certain(Label.NOT_ENOUGH_INFO)


@pytest.mark.parametrize("name", ["verisci-label", "nli-deberta", "vert5erini-label"])
def test_the_model_reads_evidence_and_claim(tiny: TinyModels, name: str) -> None:
    models = tiny.models()
    [after] = RationaleJudge(name, models=models).run([Case(CLAIM, (SILENT, CHOSEN, SILENT))])
    [expected] = stances(models.scorer(name), [Pair(CLAIM.text, f"{FIRST} {SECOND}")])
    assert after.candidates[1].labels == expected
    assert (
        after.candidates[0].labels == after.candidates[2].labels == certain(Label.NOT_ENOUGH_INFO)
    )


def test_the_joint_judge_labels_and_quotes(tiny: TinyModels) -> None:
    models = tiny.models()
    case = Case(CLAIM, (CHOSEN, Candidate(document("editorial"))))
    [after] = JointJudge("multivers-scifact", threshold=0.0, models=models).run([case])
    verifier = models.verifier("multivers-scifact")
    [expected] = verifier.verify([Abstract(CLAIM.text, ASPIRIN.title, ASPIRIN.sentences)])
    assert after.candidates[0].labels == expected.labels
    assert sorted(item.index for item in after.candidates[0].rationale) == [0, 1, 2]
    assert after.candidates[1].labels == certain(Label.NOT_ENOUGH_INFO)
    assert after.candidates[1].rationale == ()


def test_a_deciding_abstract_can_be_given_its_best_sentence(tiny: TinyModels) -> None:
    models = tiny.models()
    plain = JointJudge("multivers-scifact", threshold=1.0, models=models)
    forced = JointJudge("multivers-scifact", threshold=1.0, force_rationale=True, models=models)
    cases = [Case(CLAIM, (Candidate(document(name)),)) for name in ("aspirin", "tea", "ice")]
    for before, after in zip(plain.run(cases), forced.run(cases), strict=True):
        [old], [new] = before.candidates, after.candidates
        assert old.rationale == ()
        decides = new.labels is not None and new.labels.label is not Label.NOT_ENOUGH_INFO
        assert len(new.rationale) == int(decides)


def test_a_sentence_is_quoted_if_it_comes_near_the_best_one(tiny: TinyModels) -> None:
    models = tiny.models()
    verifier = models.verifier("multivers-scifact")
    [read] = verifier.verify([Abstract(CLAIM.text, ASPIRIN.title, ASPIRIN.sentences)])
    chances = [score.probability or 0.0 for score in read.sentences]
    low, middle, high = sorted(chance / max(chances) for chance in chances)
    for share, count in (((low + middle) / 2, 2), ((middle + high) / 2, 1)):
        judge = JointJudge("multivers-scifact", threshold=0.0, share=share, models=models)
        [after] = judge.run([Case(CLAIM, (CHOSEN,))])
        assert len(after.candidates[0].rationale) == count


@pytest.mark.parametrize("order", ["score", "index"])
def test_the_joint_judge_gives_sentences_best_first_or_as_in_the_abstract(
    tiny: TinyModels, order: str
) -> None:
    judge = JointJudge(
        "multivers-scifact", threshold=0.0, evidence=0.0, order=order, models=tiny.models()
    )
    [after] = judge.run([Case(CLAIM, (Candidate(document("aspirin")),))])
    found = after.candidates[0].rationale
    by_score = sorted(found, key=lambda item: (-item.score.raw, item.index))
    assert len(found) == 3
    assert list(found) == (by_score if order == "score" else sorted(found, key=lambda x: x.index))
