"""Where data sets are on this machine, and how they are downloaded."""

from __future__ import annotations

import os
import urllib.error
from http.client import HTTPException
from pathlib import Path

import platformdirs

from claimscope._download import Progress, Source, check_download, fetch, reason, silent, unpack
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
    """Find a data set's folder; if there is none, the error says how to get it."""
    folder = find_folder(card)
    if folder is None:
        raise MissingDataError(f"{card.title} is not on this machine; {how_to_get(card)}.")
    return folder


def how_to_get(card: Card) -> str:
    """Say what to do to have a data set."""
    get = f"download it with 'claimscope data get {card.name}'" if card.sources else ""
    put = f"make the folder {download_folder() / card.folder} and {card.by_hand}"
    return " and then ".join(filter(None, [get, put if card.by_hand else ""]))


def get(card: Card, progress: Progress = silent, root: Path | None = None) -> Path:
    """Download a data set and give its folder; files that are there already are kept."""
    folder = (root or download_folder()) / card.folder
    if not card.sources:
        raise MissingDataError(f"{card.title} has no plain download; {_by_hand(card, folder)}.")
    folder.mkdir(parents=True, exist_ok=True)
    for source in card.sources:
        if not all((folder / name).is_file() for name in source.files.values()):
            _get_source(card, source, folder, progress)
    return folder


def _get_source(card: Card, source: Source, folder: Path, progress: Progress) -> None:
    try:
        path = fetch(source, folder, progress)
    except (urllib.error.URLError, HTTPException, OSError) as error:
        names = ", ".join(source.files.values())
        raise MissingDataError(
            f"{card.title} could not be downloaded from {source.url} ({reason(error)}); try again "
            f"with a network connection, or put {names} into {folder}."
        ) from error
    check_download(path, source)
    unpack(path, source.files, folder)


def _by_hand(card: Card, folder: Path) -> str:
    return f"make the folder {folder} and {card.by_hand}"
