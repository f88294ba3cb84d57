"""Every kind of stage trained on tiny networks: it learns, resumes, stops early and is opened."""

from __future__ import annotations

import json
import math
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from claimscope.cli.app import app
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.library.local import LocalLibrary
from claimscope.models.loader import Models
from claimscope.models.scorer import Pair, probabilities
from claimscope.pipeline import preset
from claimscope.pipeline.registry import Resources
from claimscope.stages.retrieve import dense as vector_cache
from claimscope.types import Claim
from tests.tiny_models import REASON, TinyModels, save_pair_model, save_prompt_model
from tests.unit.train.small_data import fever_folder, small_folder

torch = pytest.importorskip("torch", reason=REASON)
pytest.importorskip("transformers", reason=REASON)
pytest.importorskip("onnx", reason="this test exports a model: pip install '.[train]'")

from claimscope.train.snapshot import read_tensors  # noqa: E402
from claimscope.train.stages.config import StageConfig, parse_stage  # noqa: E402
from claimscope.train.stages.recipes import (  # noqa: E402
    STAGES,
    changes_of,
    stage_config,
)
from claimscope.train.stages.training import (  # noqa: E402
    RECORD,
    EarlyStopping,
    StageTraining,
    epoch,
    loop_settings,
)

LOOP = {
    "learning_rate": 2e-3,
    "head_learning_rate": 5e-3,
    "log_steps": 4,
    "weight_decay": 0.0,
    "checkpoint_minutes": 60.0,
}
SMALL = {
    "batch": 4,
    "effective_batch": 4,
    "max_length": 64,
    "threads": 1,
    "epochs": 8,
    "loop": LOOP,
}
SIZE = {"width": 16, "layers": 1, "heads": 3, "vocabulary": 200}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_folder(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_pair_model(tmp_path_factory.mktemp("encoder"), 5)


@pytest.fixture(scope="session")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_prompt_model(tmp_path_factory.mktemp("t5"))


def configured(stage: str, data: Path, **changes: Any) -> StageConfig:
    """Give a stage's own configuration, made small."""
    table = {**SMALL, "data": str(data), "patience": 0}
    if stage.startswith("climate"):
        table["scratch"] = SIZE
    if stage == "climate-label":
        table["examples"] = {"reranker": ""}
    return stage_config(stage, None, {**table, **changes})


def losses(folder: Path) -> list[float]:
    lines = map(json.loads, (folder / "training" / "log.jsonl").read_text().splitlines())
    return [line["loss"] for line in lines if "loss" in line]


def trained(config: StageConfig, folder: Path) -> Path:
    assert StageTraining(config, folder).run()
    found = losses(folder)
    half = len(found) // 2
    assert sum(found[-half:]) < sum(found[:half]), "training lowers the loss"
    return folder


@pytest.mark.parametrize(
    ("stage", "names"),
    [
        ("retrieval", ("irrelevant", "relevant")),
        ("rationale", ("irrelevant", "relevant")),
        ("label", ("CONTRADICT", "NEI", "SUPPORT")),
    ],
)
def test_a_pretrained_classifier_learns_and_opens_by_its_folder(
    stage: str, names: tuple[str, ...], folder: Path, encoder: Path, tmp_path: Path
) -> None:
    made = trained(configured(stage, folder, encoder=str(encoder)), tmp_path / "model")
    scorer = Models().scorer(str(made))
    assert scorer.labels == names
    said = json.loads((made / "config.json").read_text())
    assert list(said["id2label"].values()) == list(names)
    rows = probabilities(scorer.logits([Pair("aspirin", "risk")]))
    assert rows.sum() == pytest.approx(1.0)
    card = (made / "README.md").read_text()
    assert card.startswith("---\nmodel_name: ")
    for part in ("Cierkosz", "## Settings", "model.safetensors", "| learnt from |"):
        assert part in card


def test_a_label_predictor_learns_from_fever_and_goes_on_with_scifact(
    folder: Path, encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(tmp_path))
    fever_folder(tmp_path / "fever")
    first = stage_config("label-fever", None, {**SMALL, "encoder": str(encoder)})
    made = trained(first, tmp_path / "first")
    card = (made / "README.md").read_text()
    assert "`fever`, split dev: CC BY-SA 3.0" in card
    assert "stands in for fever, split train" in card
    assert "| NOT_ENOUGH_INFO | 3 | 0 |" in card, "other sentences of the page say nothing"
    still = {**LOOP, "learning_rate": 0.0, "head_learning_rate": 0.0}
    changes = {"data": str(folder), "encoder": str(made), "epochs": 1, "loop": still}
    second = stage_config("label", preset.load("verisci"), {**SMALL, **changes})
    assert StageTraining(second, tmp_path / "second").run()
    before, after = (
        read_tensors(tmp_path / name / "model.safetensors")[0] for name in ("first", "second")
    )
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before), "the head, too"


def test_a_preset_runs_with_a_model_that_was_just_trained(
    folder: Path, encoder: Path, tmp_path: Path, library: LocalLibrary, tiny: TinyModels
) -> None:
    chosen = preset.load("scifchex-scibert")
    changes = {"data": str(folder), "encoder": str(encoder), "epochs": 1, "loop": LOOP}
    config = stage_config("retrieval", chosen, {**changes, "batch": 4, "effective_batch": 4})
    assert config.name == "scifchex-title-scibert"
    made = tmp_path / config.name
    assert StageTraining(config, made).run()
    models = tiny.models()
    models.locator = type(models.locator)({**models.locator.given, config.name: made})
    pipeline = chosen.build(Resources(library=library, models=models))
    [case] = pipeline.run([Claim("Aspirin lowers the risk of heart attack", "1")])
    assert case.verdict is not None
    assert models.locator.find(config.name).folder == made


@pytest.mark.parametrize("stage", ["rationale", "label"])
def test_a_prompt_model_learns_its_target_words(
    stage: str, folder: Path, t5: Path, tmp_path: Path
) -> None:
    chosen = preset.load("vert5erini")
    changes = {"data": str(folder), "encoder": str(t5), "batch": 4, "effective_batch": 4}
    changes |= {"loop": {**LOOP, "steps": 40}, "max_length": 64}
    made = trained(stage_config(stage, chosen, changes), tmp_path / "t5")
    scorer = Models().scorer(str(made))
    words = {"rationale": ("false", "true"), "label": ("true", "weak", "false")}
    assert scorer.labels == words[stage]
    assert scorer.logits([Pair("aspirin", "risk")]).shape == (1, len(scorer.labels))


@pytest.mark.parametrize("stage", [name for name in STAGES if name.startswith("climate")])
def test_networks_from_scratch_learn_and_run_without_pytorch(
    stage: str, folder: Path, tmp_path: Path
) -> None:
    made = trained(configured(stage, folder), tmp_path / "scratch")
    if stage == "climate-bi-encoder":
        models = Models()
        for place in (made, made / "claims"):
            vectors = models.encoder(str(place)).encode(["aspirin", "the risk of a heart attack"])
            assert vectors.shape == (2, SIZE["width"])
            assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)
        return
    scorer = Models().scorer(str(made))
    assert len(scorer.labels) == (4 if stage == "climate-label" else 1)
    pairs = [Pair("aspirin", "risk"), Pair("statins", "the risk of a heart attack in adults")]
    together, alone = scorer.logits(pairs), scorer.logits(pairs[:1])
    assert together[0] == pytest.approx(alone[0], abs=1e-5), "padding changes nothing"


def test_a_student_learns_its_teachers_scores(
    folder: Path, encoder: Path, tmp_path: Path, tiny: TinyModels
) -> None:
    config = configured(
        "verirel",
        folder,
        encoder=str(encoder),
        examples={
            "verifier": str(tiny.joint),
            "relevance": str(tiny.pair_one),
            "k": 3,
            "search": {"k": 4},
        },
    )
    made = trained(config, tmp_path / "student")
    assert Models().scorer(str(made)).labels == ("relevance",)


def test_a_bi_encoder_is_trained_for_the_dense_retriever(
    folder: Path,
    encoder: Path,
    tmp_path: Path,
    library: LocalLibrary,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vector_cache, "user_cache_path", lambda *_, **__: tmp_path / "cache")
    made = trained(configured("dense", folder, encoder=str(encoder)), tmp_path / "dense")
    text = f'[[stages]]\nkind = "retrieve"\nname = "dense"\nmodel = "{made}"\nk = 4\n'
    pipeline = preset.parse(text, "mine", "test").build(Resources(library=library))
    [case] = pipeline.run([Claim("Aspirin lowers the risk of heart attack", "1")])
    scores = [item.scores["retrieve.dense"].raw for item in case.candidates]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def stopped(config: StageConfig, folder: Path, at: int) -> StageTraining:
    def report(_: str, done: int, __: int) -> None:
        if done == at:
            os.kill(os.getpid(), signal.SIGTERM)

    return StageTraining(config, folder, report)


@pytest.mark.parametrize("patience", [0, 1])
def test_a_resumed_training_equals_an_uninterrupted_one(
    patience: int, folder: Path, encoder: Path, tmp_path: Path
) -> None:
    changes: dict[str, Any] = {"encoder": str(encoder), "epochs": 3, "patience": patience}
    if patience:
        changes |= {"fold": 0, "folds": 2}
    config = configured("rationale", folder, **changes)
    trained_once = tmp_path / "once"
    assert StageTraining(config, trained_once).run()
    assert not stopped(config, tmp_path / "twice", 5).run()
    assert StageTraining(config, tmp_path / "twice").run()
    once, twice = (
        read_tensors(tmp_path / name / "model.safetensors")[0] for name in ("once", "twice")
    )
    assert all(torch.equal(once[name], twice[name]) for name in once)


def test_another_seed_gives_another_model_and_another_setting_is_refused(
    folder: Path, encoder: Path, tmp_path: Path
) -> None:
    changes: dict[str, Any] = {"encoder": str(encoder), "epochs": 1}
    first = configured("label", folder, **changes)
    other = configured("label", folder, **changes, loop={**LOOP, "seed": 1})
    for name, config in (("first", first), ("again", first), ("other", other)):
        assert StageTraining(config, tmp_path / name).run()
    weights = [
        read_tensors(tmp_path / name / "model.safetensors")[0]["classifier.weight"]
        for name in ("first", "again", "other")
    ]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])
    assert StageTraining(first, tmp_path / "first").run(), "what is done is not done again"
    with pytest.raises(ConfigurationError, match="other settings"):
        StageTraining(other, tmp_path / "first").run()


def test_training_ends_when_the_held_out_loss_no_longer_falls(tmp_path: Path) -> None:
    network = torch.nn.Linear(1, 1, bias=False)
    measured = iter([3.0, 2.0, 2.5, 2.5, 1.0])
    watch = EarlyStopping(network, lambda: next(measured), tmp_path, every=2, patience=2)
    ended = []
    for step in range(1, 9):
        with torch.no_grad():
            network.weight.fill_(step)
        ended.append(watch(step))
        assert watch(step) == ended[-1], "a resumed run asks again and measures nothing"
    assert ended == [False] * 7 + [True]
    watch.use_best()
    assert network.weight.item() == 4, "the weights of step 4 had the lowest loss"
    lines = list(map(json.loads, (tmp_path / RECORD).read_text().splitlines()))
    assert [line["step"] for line in lines] == [2, 4, 6, 8]
    assert not watch(6), "what was measured after a step counts for nothing when it is redone"


def test_early_stopping_keeps_the_best_weights(folder: Path, encoder: Path, tmp_path: Path) -> None:
    changes = {"encoder": str(encoder), "epochs": 30, "patience": 2, "fold": 0, "folds": 2}
    config = configured("rationale", folder, **changes, loop={**LOOP, "learning_rate": 0.02})
    assert StageTraining(config, tmp_path).run()
    lines = list(map(json.loads, (tmp_path / "training" / RECORD).read_text().splitlines()))
    found = [line["loss"] for line in lines]
    assert len(found) < 30
    assert min(found) < min(found[-2:])
    assert f"{min(found):.4f}" in (tmp_path / "README.md").read_text()


def test_epochs_and_batches_give_the_steps(folder: Path) -> None:
    config = configured("label", folder, encoder="x", batch=4, effective_batch=8, epochs=3)
    assert loop_settings(config, 10).steps == 5  # 3 epochs of 3 batches, 2 an update
    assert loop_settings(config, 10).accumulate == 2


def test_an_epoch_has_every_row_once_and_its_own_order() -> None:
    from claimscope.models.encoding import Encoded
    from claimscope.train.batches import Turn
    from claimscope.train.stages.learners import Row

    rows = [Row((Encoded((1,) * (number + 1), ()),), 0.0, "") for number in range(10)]
    first, again, second = (epoch(rows, 4, 64, 1, Turn(number)).batches for number in (0, 0, 1))
    assert first == again != second
    assert sorted(len(batch) for batch in first) == [2, 4, 4]
    assert sorted(row.length for batch in first for row in batch) == list(range(1, 11))


def test_the_command_trains_and_says_where(folder: Path, encoder: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    words = ["train", "--stage", "retrieval", "--preset", "scifchex-bert", "--data", str(folder)]
    words += ["--encoder", str(encoder), "--seed", "3", "--output", str(output)]
    words += ["--set", "epochs=1", "--set", "batch=4", "--set", "effective_batch=4"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "scifchex-title-bert and its card are in" in done.output
    assert '"seed": 3' in (output / "README.md").read_text()


def test_the_command_says_what_is_wrong() -> None:
    for words, error in (
        (["--stage", "nothing"], UnknownNameError),
        (["--stage", "label", "--config", "absent.toml"], ConfigurationError),
        (["--stage", "label", "--set", "epochs"], ConfigurationError),
        (["--stage", "label", "--set", "wrong=1"], ConfigurationError),
        (["--stage", "rationale", "--preset", "multivers"], ConfigurationError),
        (["--stage", "verirel", "--preset", "scifchex-bert"], ConfigurationError),
        (["--stage", "retrieval", "--preset", "scifchex-bge"], ConfigurationError),
    ):
        assert isinstance(CliRunner().invoke(app, ["train", *words]).exception, error), words


def test_settings_that_cannot_work_are_refused(folder: Path) -> None:
    for changes, words in (
        ({"batch": 3, "effective_batch": 4}, "multiple"),
        ({"patience": 1}, "fold"),
        ({"schedule": "none"}, "schedule"),
        ({"loss": "binary"}, "does not fit"),
        ({"epochs": 0}, "neither epochs"),
        ({"loop": {**LOOP, "steps": 3}}, "both epochs"),
        ({"examples": {"pool": "none"}}, "pool"),
        ({"encoder": ""}, "name one"),
        ({"network": "lstm"}, "leave it out"),
    ):
        with pytest.raises((ConfigurationError, UnknownNameError), match=words):
            configured("rationale", folder, **changes)
    with pytest.raises(UnknownNameError, match="builder"):
        parse_stage({"name": "x", "network": "classifier", "epochs": 1}, "x")
    assert changes_of(["loop.seed=3", "encoder=a/b"]) == {"loop": {"seed": 3}, "encoder": "a/b"}


def test_every_stage_of_every_preset_has_the_papers_settings() -> None:
    title = stage_config("retrieval", preset.load("scifchex-biobert"))
    assert (title.encoder, title.epochs, title.effective_batch) == (
        "dmis-lab/biobert-base-cased-v1.1",
        10,
        256,
    )
    assert (title.loop.learning_rate, title.loop.head_learning_rate) == (1e-5, 1e-3)
    selectors = [
        stage_config("rationale", preset.load(name)) for name in ("verisci", "scifchex-bert")
    ]
    assert [each.loop.head_learning_rate for each in selectors] == [1e-3, 1e-4]
    labels = [stage_config("label", preset.load(name)) for name in ("verisci", "vert5erini")]
    assert labels[0].loop.head_learning_rate == 1e-4
    assert (labels[1].loop.steps, labels[1].oversample) == (1000, {"true": 3, "false": 5})
    student = stage_config("verirel", preset.load("verirel"))
    assert (student.epochs, student.schedule, student.loss, student.patience) == (
        40,
        "cosine",
        "absolute",
        3,
    )


def test_the_titles_rate_changes_once_an_epoch_and_ends_at_half() -> None:
    config = stage_config("retrieval")
    settings = replace(config.loop, steps=100)
    rates = [config.rate(step, settings) for step in range(100)]
    assert rates[:10] == [1.0] * 10
    assert len(set(rates)) == config.epochs == 10
    assert rates[-1] == pytest.approx((1 + math.cos(math.pi * 9 / 20)) / 2)


def test_the_student_warms_up_for_five_of_forty_epochs() -> None:
    config = stage_config("verirel")
    settings = replace(config.loop, steps=400)
    shares = [config.rate(10 * number, settings) for number in range(7)]
    assert shares == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1, 0.998], abs=1e-3)


@pytest.mark.parametrize(
    ("stage", "encoder"),
    [("verirel-roberta", "roberta-base"), ("verirel-longformer", "Clinical-Longformer")],
)
def test_other_students_differ_in_their_encoder_alone(stage: str, encoder: str) -> None:
    own, other = stage_config("verirel"), stage_config(stage)
    assert other.encoder.endswith(encoder)
    assert replace(other, name=own.name, paper=own.paper, encoder=own.encoder) == own


def test_a_schedule_of_epochs_needs_a_cosine() -> None:
    with pytest.raises(ConfigurationError, match="schedule_epochs"):
        stage_config("retrieval", None, {"schedule": "linear"})


def test_the_best_weights_of_several_steps_are_chosen_by_another_split(
    folder: Path, encoder: Path, tmp_path: Path
) -> None:
    config = stage_config(
        "label",
        None,
        {
            **SMALL,
            "data": str(folder),
            "encoder": str(encoder),
            "every": 2,
            "held_split": "dev",
        },
    )
    made = tmp_path / "label"
    assert StageTraining(config, made).run()
    lines = (made / "training" / "held_out.jsonl").read_text().splitlines()
    measured = {line["step"]: line["loss"] for line in map(json.loads, lines)}
    assert len(measured) > 1
    assert all(step % 2 == 0 for step in measured)
    assert f"{min(measured.values()):.4f}" in (made / "README.md").read_text()


def test_choosing_weights_needs_something_that_is_held_out() -> None:
    with pytest.raises(ConfigurationError, match="held_split"):
        stage_config("label", None, {"every": 200})


def test_fevers_train_split_is_learnt_from_where_it_is(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(tmp_path))
    pairs = fever_folder(tmp_path / "fever") / "dev_pairs.jsonl"
    first, second, *_ = pairs.read_text().splitlines()
    (tmp_path / "fever" / "train_pairs.jsonl").write_text(f"{first}\n{second}\n")
    config = stage_config("label-fever", None, {**SMALL, "encoder": str(encoder), "epochs": 1})
    training = StageTraining(config, tmp_path / "made")
    assert training.run()
    assert not training.replaced
    card = (tmp_path / "made" / "README.md").read_text()
    assert "`fever`, split train: CC BY-SA 3.0" in card
    assert "| SUPPORTS | 1 | 0 |" in card
    assert "| REFUTES | 1 | 0 |" in card
