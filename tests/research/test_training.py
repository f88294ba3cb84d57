"""A recipe with one small stage on a tiny encoder: it learns, stops, and goes on."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.verifier.joint import Abstract
from claimscope.models.verifier.settings import read_verifier
from tests.research.test_pairs import write
from tests.tiny_models import REASON, wordpiece

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)

from recipe.config import Finish, Recipe, Stage, read_recipe  # noqa: E402
from recipe.finishing import LICENCES, export  # noqa: E402
from recipe.network import new_network  # noqa: E402
from recipe.training import WEIGHTS, Training  # noqa: E402

RECIPES = Path(__file__).parents[2] / "research" / "verifier"


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    folder = tmp_path / "weights" / "tiny"
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=wordpiece().get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=64,
    )
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    wordpiece().save(str(folder / "tokenizer.json"))
    records = [
        {
            "claim": f"aspirin lowers risk {number}",
            "evidence": f"the trial {'lowered' if number % 2 else 'with statins'} {number}",
            "label": "SUPPORTS" if number % 2 else "REFUTES",
            "page": str(number),
        }
        for number in range(40)
    ]
    data = tmp_path / "data"
    for name in (
        "fever/dev_pairs",
        "mnli/dev",
        "vitaminc/real",
        "challenge/negation_nli",
    ):
        write(data / f"{name}.jsonl", *records)
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(data))
    checksum = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    stage = Stage(
        "inference",
        {"fever": 40},
        tokens=4000,
        learning_rate=3e-3,
        head_learning_rate=3e-3,
        batch_tokens=128,
        max_length=64,
        measure_every=1000,
    )
    return Recipe("tiny", "tiny", checksum, (stage,), Finish("tiny-verifier", reread=2))


def test_a_stage_learns_and_a_finished_one_is_not_run_again(recipe: Recipe, tmp_path: Path) -> None:
    training = Training(recipe, tmp_path / "run", tmp_path / "weights", tmp_path / "copy")
    assert training.run()
    lines = list(
        map(json.loads, (tmp_path / "run/inference/log.jsonl").read_text("utf-8").splitlines())
    )
    measured = {line["set"] for line in lines if "set" in line}
    assert "negation" in measured
    finished = tmp_path / "run" / "inference" / WEIGHTS
    assert (tmp_path / "copy/run/inference" / WEIGHTS).read_bytes() == finished.read_bytes()
    before = finished.stat().st_mtime_ns
    assert training.run()
    assert finished.stat().st_mtime_ns == before


def test_finished_weights_become_a_model_that_reads_as_planned(
    recipe: Recipe, tmp_path: Path
) -> None:
    assert Training(recipe, tmp_path / "run", tmp_path / "weights").run()
    encoder, finished = tmp_path / "weights" / "tiny", tmp_path / "run" / "inference" / WEIGHTS
    export(recipe, encoder, finished, tmp_path / "model")
    settings = read_verifier(tmp_path / "model")
    assert (settings.reread, settings.least, settings.risk) == (2, 0.0, ())
    abstract = Abstract("aspirin lowers risk", "", ("the trial lowered", "with statins"))
    [found] = Models().verifier(str(tmp_path / "model")).verify([abstract])
    assert len(found.sentences) == len(found.leanings) == 2
    assert sum(found.labels.of(label) for label in Label) == pytest.approx(1.0)


def test_another_encoder_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    other = replace(recipe, sha256="0" * 64)
    with pytest.raises(ConfigurationError, match="use the encoder the recipe names"):
        Training(other, tmp_path / "run", tmp_path / "weights").run()


def test_heads_are_drawn_by_the_seed(recipe: Recipe, tmp_path: Path) -> None:
    folder = tmp_path / "weights" / recipe.encoder
    one, same, other = (
        new_network(folder, dropout=0.0, train_embeddings=False, seed=seed) for seed in (1, 1, 2)
    )
    assert torch.equal(one.label.weight, same.label.weight)
    assert not torch.equal(one.label.weight, other.label.weight)
    assert not one.encoder.embeddings.word_embeddings.weight.requires_grad


@pytest.mark.parametrize("name", ["small", "large"])
def test_the_recipes_can_be_read(name: str) -> None:
    recipe = read_recipe(RECIPES / f"{name}.toml")
    assert [stage.name for stage in recipe.stages] == ["inference", "science", "abstracts"]
    assert all(stage.loop.steps > 1000 for stage in recipe.stages)


@pytest.mark.parametrize("name", ["default", "small", "large"])
def test_the_licence_of_every_set_of_a_recipe_is_known(name: str) -> None:
    recipe = read_recipe(RECIPES / f"{name}.toml")
    sets = {each.partition("/")[0] for stage in recipe.stages for each in stage.data}
    assert sets <= tomllib.loads(LICENCES.read_text("utf-8")).keys()
