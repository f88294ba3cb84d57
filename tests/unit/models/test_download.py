"""Downloads from a folder that stands for the network."""

import tarfile
from pathlib import Path
from shutil import copyfile

import pytest

from claimscope.errors import MissingModelError
from claimscope.models import catalogue, download
from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.models.download import get_model
from claimscope.models.scorer import Pair
from tests.tiny_models import REASON, TinyModels

torch = pytest.importorskip("torch", reason=REASON)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: TinyModels) -> Path:
    """A hub with one model whose weights are pickled, as many of the papers' are."""
    from safetensors.torch import load_file

    folder = tmp_path / "hub" / "someone" / "model" / "resolve" / "main"
    folder.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        copyfile(tiny.pair_three / name, folder / name)
    torch.save(load_file(tiny.pair_three / "model.safetensors"), folder / "pytorch_model.bin")
    monkeypatch.setenv("HF_ENDPOINT", (tmp_path / "hub").as_uri())
    return folder


def row(monkeypatch: pytest.MonkeyPatch, source: str | None) -> None:
    labels = ("CONTRADICT", "NEI", "SUPPORT")
    known = Checkpoint("mine", Shape.PAIR, "a model", source=source, base="b", labels=labels)
    monkeypatch.setattr(catalogue, "CHECKPOINTS", {**catalogue.CHECKPOINTS, "mine": known})


def test_a_model_of_the_hub_is_fetched_without_its_pickle(
    hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: TinyModels
) -> None:
    row(monkeypatch, "someone/model")
    told: set[str] = set()
    folder = get_model("mine", lambda name, done, total: told.add(name), tmp_path / "models")
    assert told == {"config.json", "tokenizer.json", "tokenizer_config.json", "pytorch_model.bin"}
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    models = tiny.models()
    models.locator = type(models.locator)({"verisci-label": folder})
    pairs = [Pair("aspirin", "the trial")]
    expected = tiny.models().scorer("verisci-label").logits(pairs)
    assert models.scorer("verisci-label").logits(pairs) == pytest.approx(expected)
    assert get_model("mine", root=tmp_path / "models") == folder


def test_weights_in_parts_are_fetched_whole(
    hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: TinyModels
) -> None:
    transformers = pytest.importorskip("transformers")
    (hub / "pytorch_model.bin").unlink()
    model = transformers.AutoModelForSequenceClassification.from_pretrained(tiny.pair_three)
    model.save_pretrained(hub, max_shard_size="20KB")
    row(monkeypatch, "someone/model")
    parts = sorted(hub.glob("model-*.safetensors"))
    assert len(parts) > 1
    hidden = parts[-1].rename(parts[-1].with_suffix(".hidden"))
    with pytest.raises(MissingModelError, match="lacks parts of its weights"):
        get_model("mine", root=tmp_path / "models")
    hidden.rename(parts[-1])
    folder = get_model("mine", root=tmp_path / "models")
    models = tiny.models()
    models.locator = type(models.locator)({"verisci-label": folder})
    assert models.scorer("verisci-label").labels == ("CONTRADICT", "NEI", "SUPPORT")


def test_an_archive_gives_its_model_and_nothing_else(
    hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "label.tar.gz"
    (hub / "evil.py").write_text("print('no')")
    with tarfile.open(archive, "w:gz") as file:
        for path in sorted(hub.iterdir()):
            file.add(path, f"label/{path.name}")
        file.add(hub / "config.json", "../../../escaped/config.json")
    row(monkeypatch, archive.as_uri())
    folder = get_model("mine", root=tmp_path / "models")
    assert (folder / "model.safetensors").is_file()
    assert not (folder / "evil.py").exists()
    assert not (tmp_path / "escaped").exists()
    assert not list(folder.glob("*.part"))


def test_what_cannot_be_had_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", (tmp_path / "nothing").as_uri())
    row(monkeypatch, "someone/model")
    with pytest.raises(MissingModelError, match=r"could not be downloaded .* put its files into"):
        get_model("mine", root=tmp_path)
    row(monkeypatch, None)
    with pytest.raises(MissingModelError, match="nobody published it, so train it from b"):
        get_model("mine", root=tmp_path)


def test_nothing_is_fetched_by_looking(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from claimscope.models.locate import Locator

    monkeypatch.setenv("CLAIMSCOPE_MODELS", str(tmp_path))
    monkeypatch.setattr("claimscope.models.locate.models_folder", lambda: tmp_path)
    monkeypatch.setattr(download, "fetch", lambda *_: pytest.fail("it went online"))
    with pytest.raises(MissingModelError):
        Locator().find("verisci-label")
