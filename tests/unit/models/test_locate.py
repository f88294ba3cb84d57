import sys
from pathlib import Path

import pytest

from claimscope.errors import (
    ConfigurationError,
    MissingExtraError,
    MissingModelError,
    UnknownNameError,
)
from claimscope.models.checkpoint import DESCRIPTION, Checkpoint, Shape, describe_folder
from claimscope.models.loader import Models
from claimscope.models.locate import Locator
from claimscope.models.runtime import Settings

ROW = "verisci-label"


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every place a model may be in lies under the test's own folder."""
    monkeypatch.setenv("CLAIMSCOPE_MODELS", str(tmp_path / "environment"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("claimscope.models.locate.models_folder", lambda: tmp_path / "own")


def put(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "model.safetensors").touch()
    return folder


def test_the_nearest_place_wins(tmp_path: Path) -> None:
    own = put(tmp_path / "own" / ROW)
    assert Locator().find(ROW).folder == own
    environment = put(tmp_path / "environment" / ROW)
    assert Locator().find(ROW).folder == environment
    given = put(tmp_path / "given")
    assert Locator({ROW: given}).find(ROW).folder == given


def test_what_hugging_face_downloaded_is_found(tmp_path: Path) -> None:
    repository = tmp_path / "hub" / "models--BAAI--bge-reranker-v2-m3"
    snapshot = put(repository / "snapshots" / "abc")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc\n")
    assert Locator().find("bge-reranker-v2-m3").folder == snapshot


def test_a_missing_model_says_what_where_and_how(tmp_path: Path) -> None:
    with pytest.raises(MissingModelError) as caught:
        Locator().find(ROW)
    message = str(caught.value)
    for part in ("verisci-label", "1,420 MB", "https://", ".tar.gz", str(tmp_path / "own" / ROW)):
        assert part in message
    assert message.endswith(".")
    assert message.count("\n") == 0


def test_a_model_nobody_published_says_what_to_train_it_from() -> None:
    with pytest.raises(MissingModelError, match=r"nobody published it, so train it from allenai/"):
        Locator().find("scifchex-title-scibert")


def test_a_model_of_the_repository_says_where_it_lies_there() -> None:
    with pytest.raises(MissingModelError, match="take it from the folder models of the project's"):
        Locator().find("claimscope-accurate")


def test_an_unknown_name_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="multivers-scifact"):
        Locator().find("gpt")


def test_a_folder_of_the_users_own(tmp_path: Path) -> None:
    folder = put(tmp_path / "mine")
    assert Locator().find(str(folder)).checkpoint == Checkpoint("mine", Shape.PAIR)
    (folder / "config.json").write_text('{"is_encoder_decoder": true}')
    assert Locator().find(str(folder)).checkpoint.shape is Shape.PROMPT
    with pytest.raises(MissingModelError, match="holds no model"):
        Locator().find(str(tmp_path / "nowhere"))


def test_a_broken_description_is_refused(tmp_path: Path) -> None:
    for text in ("{", '{"shape": "round"}', '{"labels": 3}'):
        (tmp_path / DESCRIPTION).write_text(text)
        with pytest.raises(ConfigurationError, match=r"claimscope\.json cannot be read"):
            describe_folder(tmp_path)


def test_a_broken_config_is_refused(tmp_path: Path) -> None:
    (put(tmp_path / "mine") / "config.json").write_text("{")
    with pytest.raises(ConfigurationError, match=r"config\.json cannot be read"):
        Locator().find(str(tmp_path / "mine"))


def test_without_torch_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    put(tmp_path / "own" / ROW)
    with pytest.raises(MissingExtraError, match=r'pip install "\.\[papers\]"'):
        Models().scorer(ROW)


def test_settings_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="no device 'gpu'"):
        Settings(device="gpu")
    with pytest.raises(ConfigurationError, match="batch_size must be at least 1"):
        Settings(batch_size=0)
    monkeypatch.setenv("CLAIMSCOPE_THREADS", "two")
    with pytest.raises(ConfigurationError, match="CLAIMSCOPE_THREADS must be a whole number"):
        Settings.from_environment()
    monkeypatch.setenv("CLAIMSCOPE_THREADS", "2")
    monkeypatch.setenv("CLAIMSCOPE_BATCH_SIZE", "4")
    assert Settings.from_environment() == Settings(batch_size=4, threads=2)
