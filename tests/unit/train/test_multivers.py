"""MultiVerS trained on a tiny Longformer: from an encoder, from a verifier, stopped and opened."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from claimscope.cli.app import app
from claimscope.errors import ConfigurationError
from claimscope.models.loader import Models
from claimscope.models.locate import Locator
from claimscope.models.verifier.joint import Abstract
from tests.tiny_models import (
    REASON,
    longformer_config,
    save_joint_model,
    save_longformer_tokenizer,
    save_prompt_model,
)
from tests.unit.train.small_data import own_folder

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)
pytest.importorskip("onnx", reason="training needs it: pip install '.[train]'")

from claimscope.train.claims import open_claims  # noqa: E402
from claimscope.train.stages.recipes import own_table  # noqa: E402
from claimscope.train.tables import settings_of  # noqa: E402
from claimscope.train.verifier.config import VerifierConfig  # noqa: E402
from claimscope.train.verifier.finetune import VerifierTraining  # noqa: E402
from claimscope.train.verifier.multivers import RATIONALE_WEIGHT, MultiversLearner  # noqa: E402
from claimscope.train.verifier.views import views_of  # noqa: E402

ABSTRACT = Abstract("aspirin 1", "trial 1", ("aspirin trial 1", "heart attack"))


@pytest.fixture(scope="session")
def longformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder as the hub has it: pickled, with no head."""
    folder = tmp_path_factory.mktemp("longformer")
    torch.manual_seed(4)
    model = transformers.LongformerModel(longformer_config(initializer_range=0.02))
    model.config.save_pretrained(folder)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    save_longformer_tokenizer(folder)
    return folder


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimscope.models.locate.models_folder", lambda: tmp_path / "models")


@pytest.fixture
def data(tmp_path: Path) -> str:
    (tmp_path / "data").mkdir()
    return str(own_folder(tmp_path / "data"))


def verified(folder: Path) -> Any:
    [found] = Models().verifier(str(folder)).verify([ABSTRACT])
    return found


def test_it_is_trained_by_the_papers_recipe_and_opened_by_torch(
    longformer: Path, data: str, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    words = ["train", "verifier", "--config", "verirel-verifier", "--data", data]
    words += ["--start", str(longformer), "--output", str(output), "--set", "folds=2"]
    words += ["--set", "epochs=12", "--set", "learning_rate=3e-3", "--set", "threads=1"]
    words += ["--set", "batch_tokens=60", "--set", "negatives=1"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, (done.output, done.exception)
    assert done.output.count("has no model.onnx") == 1
    log = (output / "training/model/log.jsonl").read_text().splitlines()
    losses = [line for line in map(json.loads, log) if "label" in line]
    first, last = losses[0], losses[-1]
    assert last["label"] + last["sentence"] < first["label"] + first["sentence"]
    assert {path.name for path in output.iterdir()} >= {"model.safetensors", "preset.toml"}
    assert not list(output.glob("**/*.onnx"))
    assert not (output / "training/start").exists()
    assert "model.safetensors" in (output / "README.md").read_text()
    found = Locator().find(str(output)).checkpoint
    assert (found.shape, found.max_length) == ("joint", 4096)
    assert len(verified(output).sentences) == 2
    again = CliRunner().invoke(app, words)
    assert again.exit_code == 0, "a finished training shows its report again"


def test_a_verifier_of_its_form_is_continued_and_resumes(data: str, tmp_path: Path) -> None:
    start = save_joint_model(tmp_path / "start")
    config = VerifierConfig(data, start=str(start), epochs=3, folds=2, batch_tokens=200, threads=1)

    def stop(_: str, step: int, __: int) -> None:
        if step == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    whole = VerifierTraining(config, tmp_path / "whole").run()
    assert VerifierTraining(config, tmp_path / "parts", stop).run() is None
    assert VerifierTraining(config, tmp_path / "parts").run() == whole
    assert verified(tmp_path / "parts") == verified(tmp_path / "whole") != verified(start)


def test_an_abstract_is_learnt_with_its_label_and_its_sentences(
    data: str, longformer: Path
) -> None:
    claims = open_claims(data)
    config = VerifierConfig(data, negatives=2, sampled=True)
    views = views_of(claims.claims, claims, config)
    learner = MultiversLearner(Locator().ready(str(longformer)), 0)
    examples = learner.examples(views)
    targets = [each.target for each in examples]
    assert (targets.count(2), targets.count(0), targets.count(1)) == (3, 2, 10)
    assert {each.evidence for each in examples if each.target != 1} == {(1, 0)}
    assert {each.evidence for each in examples if each.target == 1} == {(0, 0)}
    learner.network.eval()
    found = learner.losses(examples[:3])
    assert found.keys() == {"label", "sentence"}
    for weight in learner.network["sentence_head"].parameters():
        torch.nn.init.zeros_(weight)
    even = learner.losses(examples[:3])["sentence"].item()
    assert even == pytest.approx(RATIONALE_WEIGHT * 0.6931, rel=1e-3)


def test_negatives_are_drawn_from_the_depth_of_the_recipe(data: str) -> None:
    claims = open_claims(data)
    table = {**own_table("verirel-verifier"), "data": data}
    # The words of six abstracts are so common that Okapi's weight of them is not positive.
    table["search"] = {**table["search"], "method": "lucene"}
    drawn = []
    for seed in range(4):
        changes = {"negatives": 1, "seed": seed}
        config = settings_of({**table, **changes}, VerifierConfig, "test")
        views = views_of(claims.claims, claims, config)
        drawn.append([view.document.id for view in views if view.gold is None])
        assert len(drawn[-1]) == 5
    assert len({tuple(names) for names in drawn}) > 1, "another seed draws others"
    first = settings_of({**table, "negatives": 1, "sampled": False}, VerifierConfig, "test")
    assert views_of(claims.claims, claims, first) == views_of(claims.claims, claims, first)


def test_a_prompt_model_is_no_start(data: str, tmp_path: Path) -> None:
    config = VerifierConfig(data, start=str(save_prompt_model(tmp_path / "t5")))
    with pytest.raises(ConfigurationError, match="an encoder such as longformer-large"):
        VerifierTraining(config, tmp_path / "out").run()
