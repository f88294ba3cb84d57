"""Pickled checkpoints are read without running what they hold."""

import argparse
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from claimscope.cli.app import app
from claimscope.errors import ConfigurationError, FormatError, MissingModelError
from claimscope.models.catalogue import find_checkpoint
from claimscope.models.convert import (
    Placeholder,
    convert_file,
    convert_multivers,
    read_checkpoint,
)
from claimscope.models.loader import Models
from claimscope.models.locate import Locator
from claimscope.models.runtime import Settings
from claimscope.models.verifier.joint import Abstract
from tests.tiny_models import (
    REASON,
    TinyModels,
    longformer_config,
    save_longformer_tokenizer,
)

torch = pytest.importorskip("torch", reason=REASON)
pytest.importorskip("transformers", reason=REASON)


class Attack:
    """Makes a file when it is unpickled the usual way."""

    def __init__(self, function: Any, *arguments: object) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> tuple[Any, tuple[object, ...]]:
        return self.call


def attacks(target: Path) -> list[Attack]:
    return [
        Attack(os.system, f"touch {target}"),
        Attack(eval, f"open({str(target)!r}, 'w')"),
        Attack(Path.touch, target),
        Attack(getattr, os, "system"),
    ]


@pytest.mark.parametrize("zipped", [True, False], ids=["zip", "legacy"])
def test_a_hostile_checkpoint_does_nothing(tmp_path: Path, zipped: bool) -> None:
    target, path = tmp_path / "owned", tmp_path / "hostile.ckpt"
    state = {"weight": torch.arange(3.0), "attacks": attacks(target)[:3]}
    torch.save(state, path, _use_new_zipfile_serialization=zipped)
    loaded = read_checkpoint(path)
    assert not target.exists()
    assert loaded["weight"].tolist() == [0.0, 1.0, 2.0]
    assert all(isinstance(item, Placeholder) for item in loaded["attacks"])
    torch.load(path, weights_only=False)
    assert target.exists(), "the file would have acted if it had been unpickled the usual way"


def test_a_plain_hostile_pickle_is_refused(tmp_path: Path) -> None:
    target, path = tmp_path / "owned", tmp_path / "hostile.bin"
    path.write_bytes(pickle.dumps(attacks(target)[0]))
    with pytest.raises(FormatError, match="no file of PyTorch weights"):
        read_checkpoint(path)
    assert not target.exists()


def test_a_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "program.bin"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("program/constants.pkl", "program/data.pkl", "program/code/x.py"):
            archive.writestr(name, b"")
    with pytest.raises(FormatError, match="no file of PyTorch weights"):
        read_checkpoint(path)


@pytest.mark.parametrize("content", [b"", b"no pickle", b"PK\x03\x04", b"\x80\x02}q\x00."])
def test_rubbish_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rubbish.bin"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="download it again"):
        read_checkpoint(path)


class FeedForward(torch.nn.Module):  # type: ignore[misc, name-defined]
    """Named as in the published checkpoints."""

    def __init__(self, inputs: int, width: int, outputs: int) -> None:
        super().__init__()
        layers = [torch.nn.Linear(inputs, width), torch.nn.Linear(width, outputs)]
        self._linear_layers = torch.nn.ModuleList(layers)


@pytest.fixture
def lightning(tmp_path: Path) -> tuple[Path, Path]:
    """A checkpoint as Lightning wrote it in 2021, and the folder of its base model."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(5)
    base = tmp_path / "base"
    longformer_config().save_pretrained(base)
    save_longformer_tokenizer(base)
    config = longformer_config(vocab_size=longformer_config().vocab_size + 10)
    parts = {
        "encoder": transformers.LongformerModel(config),
        "label_classifier": FeedForward(32, 32, 3),
        "rationale_classifier": FeedForward(64, 32, 1),
    }
    network = torch.nn.ModuleDict(parts)
    state = dict(network.state_dict())
    state["encoder.embeddings.position_ids"] = torch.arange(4098)[None]
    path = tmp_path / "scifact.ckpt"
    torch.save(
        {
            "epoch": 3,
            "pytorch-lightning_version": "1.2.1",
            "state_dict": state,
            "hyper_parameters": {"hparams": argparse.Namespace(lr=1e-5, gpus="0")},
            "optimizer_states": [{"state": {0: {"exp_avg": torch.zeros(2)}}}],
            "callbacks": {Attack: {"best": Attack(os.system, f"touch {tmp_path / 'owned'}")}},
        },
        path,
    )
    return path, base


def test_a_lightning_checkpoint_is_converted_and_runs(
    lightning: tuple[Path, Path], tmp_path: Path
) -> None:
    path, base = lightning
    folder = tmp_path / "multivers-scifact"
    convert_multivers(path, base, folder, find_checkpoint("multivers-scifact"))
    assert not (tmp_path / "owned").exists()
    models = Models(Locator({"multivers-scifact": folder}), Settings("cpu"))
    verifier = models.verifier("multivers-scifact")
    [result] = verifier.verify([Abstract("A claim.", "A title", ("One.", "Two."))])
    assert len(result.sentences) == 2
    labels = result.labels
    assert labels.supports + labels.refutes + labels.not_enough_info == pytest.approx(1)


def test_weights_keep_their_values(lightning: tuple[Path, Path], tmp_path: Path) -> None:
    from safetensors.torch import load_file

    path, base = lightning
    convert_multivers(path, base, tmp_path / "out", find_checkpoint("multivers-scifact"))
    old = torch.load(path, weights_only=False)["state_dict"]
    new = load_file(tmp_path / "out" / "model.safetensors")
    pairs = {
        "encoder.embeddings.word_embeddings.weight": "encoder.embeddings.word_embeddings.weight",
        "label_classifier._linear_layers.1.bias": "label_head.2.bias",
        "rationale_classifier._linear_layers.0.weight": "sentence_head.0.weight",
    }
    for before, after in pairs.items():
        assert torch.equal(old[before], new[after])


def test_a_file_on_the_disk_is_converted_by_the_command(
    lightning: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, base = lightning
    monkeypatch.setattr("claimscope.models.convert.models_folder", lambda: tmp_path / "own")
    monkeypatch.setenv("CLAIMSCOPE_MODELS", str(tmp_path / "own"))
    words = ["models", "convert", str(path)]
    lacking = CliRunner().invoke(app, words)
    assert isinstance(lacking.exception, MissingModelError)
    assert "claimscope models get longformer-large" in str(lacking.exception)
    done = CliRunner().invoke(app, [*words, "--base", str(base)])
    assert done.exit_code == 0, done.output
    assert "multivers-scifact is in" in done.output
    [result] = Models().verifier("multivers-scifact").verify([Abstract("A claim.", "", ("One.",))])
    assert len(result.sentences) == 1
    with pytest.raises(ConfigurationError, match="There is a model in"):
        convert_file(path, base=base)
    with pytest.raises(ConfigurationError, match="no joint verifier"):
        convert_file(path, "scibert", base)
    with pytest.raises(FormatError, match="There is no file"):
        convert_file(tmp_path / "nothing.ckpt")


def test_another_checkpoint_is_refused(tiny: TinyModels, tmp_path: Path) -> None:
    path = tmp_path / "other.ckpt"
    torch.save({"state_dict": {"encoder.x": torch.zeros(1)}}, path)
    with pytest.raises(FormatError, match="no MultiVerS checkpoint: it lacks the weights of label"):
        convert_multivers(path, tiny.joint, tmp_path, find_checkpoint("multivers-scifact"))
    torch.save({"weights": 3}, path)
    with pytest.raises(FormatError, match="holds no named weights"):
        convert_multivers(path, tiny.joint, tmp_path, find_checkpoint("multivers-scifact"))
