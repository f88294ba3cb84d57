"""A tiny verifier continued on a few claims: learning, resuming, export, report and card."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from claimscope.checker import Checker
from claimscope.cli.app import app
from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.library.local import LocalLibrary
from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.models.loader import Models
from claimscope.models.verifier.joint import Abstract
from claimscope.models.verifier.settings import VerifierSettings, read_verifier, write_verifier
from tests.tiny_models import REASON, wordpiece
from tests.unit.train.small_data import own_folder

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)
pytest.importorskip("onnx", reason="this test exports a model: pip install '.[train]'")

from claimscope.models.encoding import Special  # noqa: E402
from claimscope.train.claims import Claims, open_claims  # noqa: E402
from claimscope.train.tables import settings_of  # noqa: E402
from claimscope.train.verifier.config import VerifierConfig  # noqa: E402
from claimscope.train.verifier.export import (  # noqa: E402
    export_folder,
    read_network,
)
from claimscope.train.verifier.finetune import VerifierTraining  # noqa: E402
from claimscope.train.verifier.network import (  # noqa: E402
    CLASSES,
    VerifierNetwork,
    inputs_of,
    row_of_abstract,
)
from claimscope.train.verifier.report import Report, measure  # noqa: E402
from recipe.shipping import round_folder  # noqa: E402

ABSTRACT = Abstract("aspirin lowers risk", "the trial", ("heart attack", "statins in adults"))
FITTED = VerifierSettings(
    reread=1, stance_weight=0.5, temperature=1.5, evidence=0.3, threshold=0.2, risk=((0.9, 0.1),)
)


def network(kind: str = "bert", seed: int = 5) -> VerifierNetwork:
    torch.manual_seed(seed)
    config: Any = {"bert": transformers.BertConfig, "mpnet": transformers.MPNetConfig}[kind](
        vocab_size=wordpiece().get_vocab_size(),
        hidden_size=128 if kind == "mpnet" else 64,  # Only blocks of 128 can be packed.
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=128 if kind == "mpnet" else 96,
        max_position_embeddings=98,
    )
    model = {"bert": transformers.BertModel, "mpnet": transformers.MPNetModel}[kind]
    made = VerifierNetwork(model(config, add_pooling_layer=False).eval())
    # No two weights may be equal, as in any trained network: the exporter would keep one of them.
    for weight in made.parameters():
        torch.nn.init.normal_(weight, 1.0 if weight.ndim == 1 else 0.0, 0.2)
    return made


def shipped_folder(folder: Path, stances: bool = True) -> Path:
    """Export a verifier as the shipped one is: eight bits, a stance classifier, shared layers."""
    first, second = network(), network(seed=6)
    second.encoder.embeddings.load_state_dict(first.encoder.embeddings.state_dict())
    second.encoder.encoder.layer[0].load_state_dict(first.encoder.encoder.layer[0].state_dict())
    row = Checkpoint("tiny", Shape.JOINT, max_length=96, labels=CLASSES)
    single = folder / "single"
    export_folder(first, wordpiece(), single, row, second if stances else None)
    made = round_folder(single, folder / "tiny")
    write_verifier(FITTED if stances else VerifierSettings(temperature=1.5), made)
    return made


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shipped_folder(tmp_path_factory.mktemp("start"))


@pytest.fixture
def config(start: Path, tmp_path: Path) -> VerifierConfig:
    (tmp_path / "own").mkdir()
    data = str(own_folder(tmp_path / "own"))
    return VerifierConfig(
        data, start=str(start), epochs=6, folds=2, learning_rate=1e-3, batch_tokens=64, threads=1
    )


def verified(folder: Path) -> Any:
    [found] = Models().verifier(str(folder)).verify([ABSTRACT])
    return found


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_the_exported_model_says_what_the_network_says(kind: str, tmp_path: Path) -> None:
    made = network(kind)
    row = Checkpoint("tiny", Shape.JOINT, max_length=64, labels=CLASSES)
    tokenizer = wordpiece()
    folder = export_folder(made, tokenizer, tmp_path / "model", row)
    texts = (ABSTRACT.claim, ABSTRACT.title, *ABSTRACT.sentences)
    claim, title, *sentences = (tokenizer.encode(t, add_special_tokens=False).ids for t in texts)
    special = Special.of(tokenizer)
    inputs = inputs_of([row_of_abstract(claim, title, sentences, special)], special)
    with torch.inference_mode():
        label, stances = made.eval()(inputs.ids, inputs.segments, inputs.mask, inputs.pooling)
    found = verified(folder)
    got = [found.labels.supports, found.labels.refutes, found.labels.not_enough_info]
    assert got == pytest.approx(label[0].softmax(-1).tolist(), abs=1e-4)
    evidence = (1 - stances[0].softmax(-1)[:, 2]).tolist()
    assert [score.raw for score in found.sentences] == pytest.approx(evidence, abs=1e-4)


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_a_network_is_read_back_from_its_export(kind: str, tmp_path: Path) -> None:
    made = network(kind)
    row = Checkpoint("tiny", Shape.JOINT, max_length=96, labels=CLASSES)
    single = export_folder(made, wordpiece(), tmp_path / "single", row)
    exact = read_network(single / "model.onnx").state_dict()
    for name, value in made.state_dict().items():
        assert torch.allclose(value, exact[name], atol=1e-6), name
    small = round_folder(single, tmp_path / "small", packed=kind == "mpnet")
    rounded = read_network(small / "model.onnx")
    assert any(not torch.equal(v, exact[n]) for n, v in rounded.state_dict().items())
    again = export_folder(rounded, wordpiece(), tmp_path / "again", row)
    if kind == "bert":
        twice = round_folder(again, tmp_path / "twice")
        assert verified(twice) == verified(small), "what is read back loses nothing more"
    else:  # Packed products also round what is multiplied.
        assert verified(again).labels.supports == pytest.approx(
            verified(small).labels.supports, abs=0.02
        )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_network_of_another_kind_is_not_read_back(tmp_path: Path) -> None:
    torch.onnx.export(
        torch.nn.Linear(3, 2), (torch.rand(1, 3),), str(tmp_path / "model.onnx"), dynamo=False
    )
    with pytest.raises(ConfigurationError, match="cannot go on from"):
        read_network(tmp_path / "model.onnx")


def test_a_verifier_is_continued_measured_and_described(
    config: VerifierConfig, start: Path, tmp_path: Path, library: LocalLibrary
) -> None:
    output = tmp_path / "out"
    words = ["train", "verifier", "--data", config.data, "--start", str(start)]
    words += ["--output", str(output), "--set", "folds=2", "--set", "threads=1"]
    words += ["--set", "epochs=16", "--set", "learning_rate=1e-3", "--set", "batch_tokens=64"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "held-out claims" in done.output
    assert "| accuracy |" in done.output
    losses = [
        line["label"]
        for line in map(json.loads, (output / "training/model/log.jsonl").read_text().splitlines())
        if "label" in line
    ]
    assert losses[-1] < losses[0]
    report = Report.read(output)
    assert report.learnt + report.after.claims == 5
    assert report.before.measured.keys() == {"accuracy", "macro-F1", "ECE"}
    card = (output / "README.md").read_text()
    for part in ("the user's own", "| macro-F1 |", "stance.onnx", '"epochs": 16'):
        assert part in card
    settings = read_verifier(output)
    assert (settings.temperature, settings.evidence) == (1.5, 0.3), "what was fitted is kept"
    assert settings.risk == (), "no curve is claimed that was measured on other weights"
    assert verified(output) != verified(start)
    assert (output / "shared.onnx_data").stat().st_size > 0
    assert not list(output.glob("training/**/*.safetensors"))
    case = Checker(library, str(output / "preset.toml")).check("Aspirin lowers the risk")
    assert case.verdict is not None
    again = CliRunner().invoke(app, words)
    assert again.exit_code == 0, "a finished training shows its report again"
    assert "| accuracy |" in again.output


@pytest.mark.parametrize(("part", "at"), [("model", 5), ("stance", 3)])
def test_a_training_that_was_stopped_ends_as_one_that_was_not(
    config: VerifierConfig, tmp_path: Path, part: str, at: int
) -> None:
    def stop(name: str, step: int, _: int) -> None:
        if (name, step) == (part, at):
            os.kill(os.getpid(), signal.SIGTERM)

    whole = VerifierTraining(config, tmp_path / "whole").run()
    assert VerifierTraining(config, tmp_path / "parts", stop).run() is None
    assert VerifierTraining(config, tmp_path / "parts").run() == whole
    for name in ("model.onnx", "stance.onnx"):
        one, other = (tmp_path / each / name for each in ("whole", "parts"))
        assert one.read_bytes() == other.read_bytes()


def test_a_verifier_of_one_network_is_continued(config: VerifierConfig, tmp_path: Path) -> None:
    made = shipped_folder(tmp_path, stances=False)
    settings = {"data": config.data, "start": str(made), "folds": 2, "epochs": 1}
    report = VerifierTraining(settings_of(settings, VerifierConfig, "x"), tmp_path / "out").run()
    assert report is not None
    assert not (tmp_path / "out" / "stance.onnx").exists()
    assert verified(tmp_path / "out") != verified(made)


def test_corrections_of_a_library_are_learnt_from(
    library: LocalLibrary, start: Path, tmp_path: Path
) -> None:
    path = tmp_path / "corrections.jsonl"
    rows = [
        ("Aspirin lowers the risk", {"aspirin": [{"sentences": [1], "label": "SUPPORT"}]}, []),
        ("Statins raise cholesterol", {"statins": [{"sentences": [], "label": "CONTRADICT"}]}, []),
        ("Coffee makes people taller", {}, ["coffee"]),
        ("Tea lowers iron", {"tea": [{"sentences": [0], "label": "SUPPORT"}]}, []),
    ]
    records = [
        {"id": n, "claim": text, "evidence": found, "cited_doc_ids": [*found, *cited]}
        for n, (text, found, cited) in enumerate(rows)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    config = VerifierConfig(
        str(path), library.location, str(start), epochs=1, folds=2, threads=1, negatives=2
    )
    report = VerifierTraining(config, tmp_path / "out").run()
    assert report is not None
    assert report.learnt + report.after.claims == 4


def test_a_verifier_that_knows_scores_better_than_one_that_does_not(
    start: Path, tmp_path: Path
) -> None:
    data = open_claims(str(own_folder(tmp_path)))
    found = measure(str(start), data)
    assert (found.score.claims, found.score.abstracts) == (5, 5)
    assert found.risk == (), "five abstracts make no curve"
    only = Claims(data.claims[:1], data.documents)
    assert measure(str(start), only).score.abstracts == 1
    value = found.score.measured["accuracy"]
    assert value.low <= value.value <= value.high


def test_settings_that_cannot_work_are_refused(
    config: VerifierConfig, start: Path, tmp_path: Path
) -> None:
    for table, words in (
        ({"data": "x", "epochs": 0}, "at least 1"),
        ({"data": "x", "folds": 1}, "at least 2"),
        ({"data": "x", "teacher": 1}, "unknown key 'teacher'"),
        ({}, "lacks the key 'data'"),
    ):
        with pytest.raises(ConfigurationError, match=words):
            settings_of(table, VerifierConfig, "here")
    changes = {"data": config.data, "start": str(start), "folds": 1000}
    chosen = settings_of(changes, VerifierConfig, "here")
    with pytest.raises(ConfigurationError, match="nothing to measure on"):
        VerifierTraining(chosen, tmp_path / "out").run()
    with pytest.raises(UnknownNameError):
        VerifierTraining(VerifierConfig("nowhere", start=str(start)), tmp_path / "out").run()


def test_a_folder_of_other_settings_is_refused(config: VerifierConfig, tmp_path: Path) -> None:
    short = settings_of(
        {"data": config.data, "start": config.start, "epochs": 1, "folds": 2},
        VerifierConfig,
        "here",
    )
    assert VerifierTraining(short, tmp_path / "out").run() is not None
    with pytest.raises(ConfigurationError, match="other settings"):
        VerifierTraining(config, tmp_path / "out").run()
