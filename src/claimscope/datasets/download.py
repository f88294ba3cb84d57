"""Downloads a data set into its folder."""

from __future__ import annotations

import urllib.error
from http.client import HTTPException
from pathlib import Path

from claimscope.datasets.folders import download_folder
from claimscope.datasets.record import Card
from claimscope.download import Progress, Source, check_download, fetch, reason, silent, unpack
from claimscope.errors import MissingDataError


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
