"""Downloads published models, only when asked to, and leaves no pickle behind."""

from __future__ import annotations

import json
import os
import tarfile
import urllib.error
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from shutil import copyfileobj

from claimscope._download import Progress, Source, check_download, fetch
from claimscope.errors import MissingModelError
from claimscope.models.adopt import PICKLED, SAFE, finish_download
from claimscope.models.catalogue import find_checkpoint
from claimscope.models.checkpoint import Checkpoint
from claimscope.models.locate import holds_model, missing, models_folder

_HUB = "https://huggingface.co"
_TOKENISER = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
)
# Those that need no further package; a SentencePiece model alone does.
_PLAIN_TOKENISER = ("tokenizer.json", "vocab.txt", "vocab.json")
_CONFIG = "config.json"
_SHARDS = frozenset({"model.safetensors.index.json", "pytorch_model.bin.index.json"})
_WANTED = frozenset({_CONFIG, *_TOKENISER, *SAFE, *PICKLED})


def _silent(name: str, done: int, total: int | None) -> None:
    pass


def get_model(name: str, progress: Progress = _silent, root: Path | None = None) -> Path:
    """Download a model of the table into the user's folder and give its place.

    What is there already is kept; a broken download goes on where it stopped.
    """
    row = find_checkpoint(name)
    folder = (root or models_folder()) / name
    if holds_model(folder):
        return folder
    if row.source is None:
        raise missing(row)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _get(row, row.source, folder, progress)
    except (urllib.error.URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise MissingModelError(
            f"The model {name} could not be downloaded from {row.source} ({reason}); try again "
            f"with a network connection, or put its files into {folder}."
        ) from error
    return folder


def _get(row: Checkpoint, source: str, folder: Path, progress: Progress) -> None:
    if source.endswith(".ckpt"):
        _get_multivers(row, source, folder, progress)
        return
    if source.endswith(".tar.gz"):
        archive = fetch(Source(source, {}), folder, progress)
        unpack_model(archive, folder)
        archive.unlink()
    else:
        _get_files(source, row.revision, folder, (_CONFIG, *_TOKENISER), progress)
        _get_weights(source, row.revision, folder, progress)
    if row.base and not any((folder / name).is_file() for name in _PLAIN_TOKENISER):
        _get_files(row.base, None, folder, _TOKENISER, progress)
    finish_download(folder)


def _get_multivers(row: Checkpoint, source: str, folder: Path, progress: Progress) -> None:
    from claimscope.models.convert import convert_multivers

    if row.base is None:
        raise missing(row)
    base = folder / "base"
    base.mkdir(exist_ok=True)
    _get_files(row.base, None, base, (_CONFIG, *_TOKENISER), progress)
    checkpoint = fetch(Source(source, {}), folder, progress)
    convert_multivers(checkpoint, base, folder, row)
    checkpoint.unlink()
    for file in base.iterdir():
        file.unlink()
    base.rmdir()


def _get_weights(source: str, revision: str | None, folder: Path, progress: Progress) -> None:
    """Take the first form of weights there is."""
    for name in (*SAFE, *PICKLED):
        if _get_files(source, revision, folder, (name,), progress):
            if name in _SHARDS:
                _get_shards(source, revision, folder, name, progress)
            return
    raise OSError(f"it has none of {', '.join((*SAFE, *PICKLED))}")


def _get_shards(
    source: str, revision: str | None, folder: Path, name: str, progress: Progress
) -> None:
    """Get the parts of weights; their list comes last, for it says that the model is whole."""
    waiting = (folder / name).rename(folder / f"{name}.waiting")
    index: Mapping[str, Mapping[str, str]] = json.loads(waiting.read_text("utf-8"))
    shards = sorted({PurePosixPath(shard).name for shard in index["weight_map"].values()})
    if len(_get_files(source, revision, folder, tuple(shards), progress)) < len(shards):
        raise OSError("it lacks parts of its weights")
    waiting.rename(folder / name)


def _get_files(
    source: str, revision: str | None, folder: Path, names: tuple[str, ...], progress: Progress
) -> list[str]:
    """Get those of some files that a hub repository has, and name them."""
    found = []
    for name in names:
        if not (folder / name).is_file() and not _get_file(
            source, revision, folder, name, progress
        ):
            continue
        found.append(name)
    return found


def _get_file(
    source: str, revision: str | None, folder: Path, name: str, progress: Progress
) -> bool:
    hub = os.environ.get("HF_ENDPOINT", _HUB).rstrip("/")
    wanted = Source(f"{hub}/{source}/resolve/{revision or 'main'}/{name}", {name: name})
    try:
        path = fetch(wanted, folder, progress)
    except urllib.error.HTTPError as error:
        if error.code in {401, 404}:  # The hub answers 401 for some files that do not exist.
            return False
        raise
    except urllib.error.URLError as error:
        if "No such file" in str(error.reason):  # A folder served as file:// has no status codes.
            return False
        raise
    check_download(path, wanted)
    path.replace(folder / name)
    return True


def unpack_model(archive: Path, folder: Path) -> None:
    """Take a model's files out of an archive by their plain names, and nothing else."""
    with tarfile.open(archive) as opened:
        for member in opened:
            name = PurePosixPath(member.name).name
            file = opened.extractfile(member) if member.isfile() and name in _WANTED else None
            if file is not None:
                partial = folder / f"{name}.unpacking"
                with file, partial.open("wb") as copy:
                    copyfileobj(file, copy)
                partial.replace(folder / name)
