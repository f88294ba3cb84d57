"""The scorers against what transformers and torch compute by themselves."""

import math
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.models.checkpoint import Checkpoint, Shape, write_description
from claimscope.models.loader import Models
from claimscope.models.locate import Locator
from claimscope.models.runtime import Settings
from claimscope.models.scorer import Pair, log_probabilities, probabilities, relevance, stances
from tests.tiny_models import REASON, TinyModels, save_pair_model

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)

PAIRS = [
    Pair("aspirin lowers the risk", "aspirin lowered the risk of heart attack in a trial."),
    Pair("statins", "cholesterol"),
    Pair("aspirin lowers the risk", "the trial."),
    Pair("aspirin lowers the risk", ""),
    Pair("statins lower cholesterol in adults", "statins and cholesterol, " * 60),
]


def test_a_pair_scorer_gives_the_classifiers_own_logits(tiny: TinyModels) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny.pair_two)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(tiny.pair_two).eval()
    got = tiny.models(batch_size=2).scorer("verisci-rationale").logits(PAIRS)
    for pair, row in zip(PAIRS, got, strict=True):
        inputs = tokenizer(
            pair.evidence, pair.claim, truncation="only_first", max_length=512, return_tensors="pt"
        )
        with torch.no_grad():
            assert row == pytest.approx(model(**inputs).logits[0].numpy(), abs=1e-5)


def test_a_prompt_scorer_reads_the_target_words_at_the_first_step(tiny: TinyModels) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny.prompt)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(tiny.prompt).eval()
    words = [tokenizer.convert_tokens_to_ids(f"▁{word}") for word in ("false", "true")]
    scores = relevance(tiny.models(batch_size=2).scorer("monot5-3b-msmarco"), PAIRS)
    for pair, score in zip(PAIRS[:4], scores, strict=False):
        text = f"Query: {pair.claim} Document: {pair.evidence} Relevant:"
        inputs = tokenizer(text, return_tensors="pt")
        inputs.pop("token_type_ids", None)
        with torch.no_grad():
            first = model(**inputs, decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
        false, true = first[words].double()
        by_hand = math.exp(true) / (math.exp(true) + math.exp(false))
        assert score.probability == pytest.approx(by_hand, abs=1e-5)
        assert score.raw == pytest.approx(math.log(by_hand), abs=1e-4)


def test_three_target_words_are_the_three_labels(tiny: TinyModels) -> None:
    scorer = tiny.models().scorer("vert5erini-label")
    assert scorer.labels == ("true", "weak", "false")
    row = probabilities(scorer.logits(PAIRS[:1]))[0]
    [labels] = stances(scorer, PAIRS[:1])
    assert [labels.supports, labels.not_enough_info, labels.refutes] == pytest.approx(row)


@pytest.mark.parametrize("name", ["verisci-label", "monot5-3b-msmarco", "nli-deberta"])
def test_a_batch_gives_what_its_pairs_give_alone(tiny: TinyModels, name: str) -> None:
    scorer = tiny.models(batch_size=3).scorer(name)
    together = scorer.logits(PAIRS)
    alone = np.vstack([scorer.logits([pair]) for pair in PAIRS])
    assert together == pytest.approx(alone, abs=1e-5)
    assert len({round(float(value), 4) for value in together[:, 0]}) == len(PAIRS)


def test_progress_is_told(tiny: TinyModels) -> None:
    told: list[tuple[int, int]] = []
    models = Models(
        Locator({"verisci-label": tiny.pair_three}),
        Settings(device="cpu", batch_size=2, threads=1),
        lambda done, total: told.append((done, total)),
    )
    models.scorer("verisci-label").logits(PAIRS)
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_the_names_of_classes_come_from_the_config(tmp_path: Path, tiny: TinyModels) -> None:
    names = ("neutral", "SUPPORTS", "contradiction")
    folder = save_pair_model(tmp_path / "shuffled", 3, names)
    scorer = tiny.models().scorer(str(folder))
    row = probabilities(scorer.logits(PAIRS[:1]))[0]
    [labels] = stances(scorer, PAIRS[:1])
    assert [labels.not_enough_info, labels.supports, labels.refutes] == pytest.approx(row)
    assert labels.label in {Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO}


def test_the_config_goes_before_the_table(tmp_path: Path) -> None:
    folder = save_pair_model(tmp_path / "mine", 3, ("SUPPORT", "CONTRADICT", "NEI"))
    models = Models(Locator({"verisci-label": folder}), Settings("cpu"))
    assert models.scorer("verisci-label").labels == ("SUPPORT", "CONTRADICT", "NEI")


def test_unnamed_classes_that_no_table_names_are_refused(tiny: TinyModels) -> None:
    with pytest.raises(ConfigurationError, match="3 outputs and does not say what they mean"):
        tiny.models().scorer(str(tiny.pair_three))


def test_names_that_mean_nothing_here_are_refused(tmp_path: Path, tiny: TinyModels) -> None:
    scorer = tiny.models().scorer(str(save_pair_model(tmp_path / "pets", 3, ("cat", "dog", "cow"))))
    with pytest.raises(ConfigurationError, match="named cat, dog, cow"):
        stances(scorer, PAIRS[:1])
    with pytest.raises(ConfigurationError, match="named cat, dog, cow"):
        relevance(scorer, PAIRS[:1])


def test_a_folder_describes_itself(tmp_path: Path, tiny: TinyModels) -> None:
    folder = save_pair_model(tmp_path / "mine", 2, ("irrelevant", "relevant"))
    plain = tiny.models().scorer(str(folder)).logits(PAIRS[:1])
    write_description(Checkpoint("mine", Shape.PAIR, evidence_first=False), folder)
    turned = tiny.models().scorer(str(folder)).logits(PAIRS[:1])
    swapped = tiny.models().scorer(str(folder)).logits([Pair(*PAIRS[0][::-1])])
    assert plain == pytest.approx(swapped, abs=1e-5)
    assert turned != pytest.approx(plain, abs=1e-3)


def test_a_model_of_another_shape_is_refused(tiny: TinyModels) -> None:
    with pytest.raises(ConfigurationError, match="is a joint model, and this stage needs a pair"):
        tiny.models().scorer("multivers-scifact")
    with pytest.raises(ConfigurationError, match="is a pair model, and this stage needs a joint"):
        tiny.models().verifier("verisci-label")


def test_a_model_without_a_trained_head_is_refused(tmp_path: Path, tiny: TinyModels) -> None:
    copytree(tiny.pair_two, tmp_path / "model")
    transformers.AutoModel.from_pretrained(tiny.pair_two).save_pretrained(tmp_path / "model")
    models = Models(Locator({"verisci-rationale": tmp_path / "model"}), Settings("cpu"))
    with pytest.raises(ConfigurationError, match=r"lacks 2 weights, such as classifier\.bias"):
        models.scorer("verisci-rationale")


def test_a_damaged_folder_is_named(tmp_path: Path, tiny: TinyModels) -> None:
    copytree(tiny.pair_two, tmp_path / "model")
    (tmp_path / "model" / "tokenizer.json").unlink()
    models = Models(Locator({"verisci-rationale": tmp_path / "model"}), Settings("cpu"))
    with pytest.raises(ConfigurationError, match=r"put the model's tokenizer\.json there"):
        models.scorer("verisci-rationale")


def test_an_absent_device_is_named(tiny: TinyModels) -> None:
    if torch.backends.mps.is_available():
        pytest.skip("this machine has the device")
    models = Models(Locator({"verisci-label": tiny.pair_three}), Settings("mps"))
    with pytest.raises(ConfigurationError, match="'mps' is not on this machine"):
        models.scorer("verisci-label")


def test_probabilities_are_stable_for_large_logits() -> None:
    rows = np.array([[1000.0, 0.0], [-1000.0, -1000.0]])
    assert probabilities(rows).tolist() == [[1.0, 0.0], [0.5, 0.5]]
    assert log_probabilities(np.array([[-800.0], [800.0]])).ravel().tolist() == [-800.0, 0.0]
