"""Where data sets lie on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from claimscope.datasets.record import Card
from claimscope.errors import MissingDataError

VARIABLE = "CLAIMSCOPE_DATA"


def download_folder() -> Path:
    """Give the folder downloads go to: the user's cache, or the folder of CLAIMSCOPE_DATA."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_cache_path("claimscope") / "data"


def data_folders() -> list[Path]:
    """Give the data folders in the order they are searched.

    CLAIMSCOPE_DATA alone if it is set; otherwise `shared/data` beside the current folder or beside
    the checkout this code runs from, and then the user's cache.
    """
    if os.environ.get(VARIABLE):
        return [download_folder()]
    checkout = Path(__file__).resolve().parents[3]
    beside = [folder.parent / "shared" / "data" for folder in (Path.cwd(), checkout)]
    return [*dict.fromkeys(beside), download_folder()]


def find_folder(card: Card) -> Path | None:
    """Find a data set's folder, if it is on this machine."""
    folders = (folder / card.folder for folder in data_folders())
    return next((folder for folder in folders if folder.is_dir() and any(folder.iterdir())), None)


def need_folder(card: Card) -> Path:
    """Find a data set's folder or say in one sentence how to get it."""
    folder = find_folder(card)
    if folder is None:
        raise MissingDataError(f"{card.title} is not on this machine; {how_to_get(card)}.")
    return folder


def how_to_get(card: Card) -> str:
    """Say what to do to have a data set."""
    get = f"download it with 'claimscope data get {card.name}'" if card.sources else ""
    put = f"make the folder {download_folder() / card.folder} and {card.by_hand}"
    return " and then ".join(filter(None, [get, put if card.by_hand else ""]))
