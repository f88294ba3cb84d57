"""The table of data sets, and where they are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.datasets import DATASETS, MissingDataError, data_folders, open_dataset
from claimscope.datasets.location import find_folder, how_to_get
from claimscope.errors import UnknownNameError
from claimscope.labels import Label


def test_every_card_is_complete() -> None:
    for name, definition in DATASETS.items():
        card = definition.card
        assert card.name == name
        assert all([card.title, card.about, card.homepage, card.paper, card.licence, card.folder])
        assert card.splits or name == "cord-19"  # A corpus without claims has no splits.
        assert card.sources or card.by_hand
        assert card.notes
        assert all(note.endswith(".") for note in card.notes)


def test_every_spelling_on_a_card_is_understood() -> None:
    for definition in DATASETS.values():
        for label, spelling in definition.card.labels.items():
            if definition.card.name != "citation-integrity":  # Its own reader knows its words.
                assert Label.parse(spelling) is label


def test_a_source_names_each_file_once() -> None:
    for definition in DATASETS.values():
        names = [name for source in definition.card.sources for name in source.files.values()]
        assert len(set(names)) == len(names)
        for source in definition.card.sources:
            assert source.url.startswith("https://")
            assert source.sha256 is None or len(source.sha256) == 64


def test_only_sets_whose_licence_allows_it_may_train() -> None:
    allowed = {name for name, definition in DATASETS.items() if definition.card.may_train}
    assert allowed == {"scifact", "check-covid", "fever"}


def test_an_unknown_name_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match=r"scifact, scifact-open.*beir:FOLDER"):
        open_dataset("scifakt")


def test_the_variable_alone_decides_if_it_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(tmp_path))
    assert data_folders() == [tmp_path]
    card = DATASETS["scifact"].card
    assert find_folder(card) is None
    (tmp_path / "scifact").mkdir()
    assert find_folder(card) is None, "an empty folder holds no data"
    (tmp_path / "scifact" / "claims_dev.jsonl").write_text("")
    assert find_folder(card) == tmp_path / "scifact"


def test_otherwise_the_folder_beside_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAIMSCOPE_DATA", raising=False)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    folders = data_folders()
    assert folders[0] == tmp_path / "shared" / "data"
    assert "claimscope" in str(folders[-1])


def test_what_is_absent_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match="'claimscope data get scifact'"):
        open_dataset("scifact")
    with pytest.raises(MissingDataError, match="CoVERT is not on this machine; make the folder"):
        open_dataset("covert")
    assert " and then make the folder" in how_to_get(DATASETS["climate"].card)
