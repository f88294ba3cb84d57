"""What the papers compute, worked out by hand: pair order, the student's loss, the mixed score."""

from __future__ import annotations

import math
from pathlib import Path
from types import MappingProxyType

import pytest

from claimscope.models.catalogue import CHECKPOINTS
from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.models.encoding import PairEncoder
from claimscope.models.scorer import Pair
from claimscope.stages.rerank.combo import ComboScorer
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Document,
    LabelProbabilities,
    Score,
)
from tests.tiny_models import REASON, save_pair_model, wordpiece

torch = pytest.importorskip("torch", reason=REASON)
pytest.importorskip("transformers", reason=REASON)

from claimscope.train.stages.examples import Example  # noqa: E402
from claimscope.train.stages.learners import PairLearner  # noqa: E402
from claimscope.train.stages.networks import open_learner  # noqa: E402
from claimscope.train.stages.recipes import STAGES, own_table, stage_config  # noqa: E402

CLAIM, EVIDENCE = "aspirin", "statins"
EVIDENCE_FIRST = {
    "scifchex-title": True,
    "scifchex-rationale": True,
    "scifchex-label": True,
    "verisci-rationale": True,
    "verisci-label": True,
    "label-fever": True,
    "monobert-abstract": False,
    "bert-t5-sentence-monobert": False,
    "bert-t5-label-bert": False,
    "verirel-student": False,
    "climate-cross-encoder": False,
    "climate-label": False,
}
"""SciFCheX's and VeriSci's code put the evidence first; rerankers read the claim first."""


def words(ids: tuple[int, ...]) -> list[str]:
    return [wordpiece().id_to_token(each) for each in ids]


def in_order(evidence_first: bool) -> list[str]:
    first, second = (EVIDENCE, CLAIM) if evidence_first else (CLAIM, EVIDENCE)
    return ["[CLS]", first, "[SEP]", second, "[SEP]"]


@pytest.mark.parametrize(("name", "first"), EVIDENCE_FIRST.items())
def test_a_training_lays_out_pairs_as_its_paper_does(name: str, first: bool) -> None:
    said = bool(own_table(name)["evidence_first"])
    row = Checkpoint(name, Shape.PAIR, evidence_first=said)
    learner = PairLearner(torch.nn.Identity(), row, "cpu", wordpiece(), loss="binary")
    [made] = learner.rows([Example("1", CLAIM, EVIDENCE, True)])
    assert words(made.texts[0].ids) == in_order(first)
    assert made.texts[0].types == (0, 0, 0, 1, 1)


@pytest.mark.parametrize(
    ("model", "first"),
    [
        ("verisci-rationale", True),
        ("verisci-label", True),
        ("scifchex-title-scibert", True),
        ("scifchex-rationale-scibert", True),
        ("scifchex-label-roberta-large", True),
        ("nli-deberta", True),
        ("bge-reranker-v2-m3", False),
        ("ms-marco-minilm-l6", False),
        ("monobert-large-msmarco", False),
        ("bert-t5-sentence-monobert", False),
        ("bert-t5-label-bert", False),
        ("verirel-student", False),
        ("climate-cross-encoder", False),
        ("climate-label", False),
    ],
)
def test_a_model_reads_pairs_as_it_was_trained(model: str, first: bool) -> None:
    row = CHECKPOINTS[model]
    [encoded] = PairEncoder(wordpiece(), row.max_length, row.evidence_first).encode(
        [Pair(CLAIM, EVIDENCE)]
    )
    assert words(encoded.ids) == in_order(first)


def test_the_students_loss_is_the_distance_not_its_square(tmp_path: Path) -> None:
    """Measured on the network that the recipe itself opens (+VeriRel's code: L1)."""
    encoder = save_pair_model(tmp_path / "encoder", 1)
    config = stage_config("verirel", None, {"encoder": str(encoder), "max_length": 64})
    learner = open_learner(config, lambda: ())
    learner.network.eval()
    targets = (0.9, 0.1)
    examples = [
        Example("1", CLAIM, EVIDENCE, targets[0]),
        Example("2", EVIDENCE, CLAIM, targets[1]),
    ]
    rows = learner.rows(examples)
    with torch.inference_mode():
        found = learner.loss(rows).item()
        outputs = [
            1 / (1 + math.exp(-learner.network(ids, torch.ones_like(ids), types)[0, 0].item()))
            for ids, types in (
                (torch.tensor([row.texts[0].ids]), torch.tensor([row.texts[0].types]))
                for row in rows
            )
        ]
    distances = [abs(output - target) for output, target in zip(outputs, targets, strict=True)]
    assert found == pytest.approx(sum(distances) / 2, abs=1e-5)
    assert found != pytest.approx(sum(each**2 for each in distances) / 2, abs=1e-2)


def test_the_mixed_score_weighs_verification_by_alpha() -> None:
    """Equation 5 of +VeriRel, with 2·sigmoid of monoT5's log-probability, as in its notebook."""
    labels = LabelProbabilities(supports=0.6, refutes=0.3, not_enough_info=0.1)
    log = math.log(0.25)
    one = Candidate(
        Document("1", "title", "text"),
        MappingProxyType({"rerank.relevance": Score(log, 0.25)}),
        labels=labels,
    )
    for alpha in (0.5, 0.2):
        stage = ComboScorer(alpha, "rerank.relevance", "doubled-sigmoid", 3)
        [case] = stage.run([Case(Claim("c", "1"), (one,))])
        score = case.candidates[0].score
        assert score is not None
        expected = alpha * 0.9 + (1 - alpha) * 2 / (1 + math.exp(-log))
        assert score.raw == pytest.approx(expected)


def test_every_stage_that_can_be_trained_has_its_recipe() -> None:
    expected = {
        "retrieval": "scifchex-title",
        "rationale": "scifchex-rationale",
        "label": "scifchex-label",
        "label-fever": "label-fever",
        "verirel": "verirel-student",
    }
    assert {stage: STAGES[stage] for stage in expected} == expected
