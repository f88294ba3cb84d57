"""Keeps uploaded files until they are imported: in a private folder, under names of our own."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from starlette.datastructures import UploadFile

from claimscope.errors import InputError
from claimscope.library.faults import library_faults

FOLDER_NAME = "uploads"
ENDINGS = frozenset(
    ".ris .nbib .txt .bib .xml .nxml .json .jsonl .ndjson .csv .tsv .xlsx .pdf".split()
)
_COMPRESSED = frozenset({".gz", ".xz"})
_CHUNK = 1 << 20
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Upload:
    """Files on the disk: the folder made for them, and for each our name and the client's."""

    folder: str
    files: tuple[tuple[str, str], ...]
    fingerprint: bytes


def keep(library: Path, files: Sequence[UploadFile]) -> Upload:
    """Write files to a new folder; when it returns they survive a power cut."""
    names = [_shown(file.filename or "") for file in files]
    endings = [_ending(name) for name in names]
    with library_faults(library):
        parent = library / FOLDER_NAME
        parent.mkdir(mode=0o700, exist_ok=True)
        folder = parent / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        hashed = blake2b(digest_size=32)
        kept = []
        for number, (file, name, ending) in enumerate(zip(files, names, endings, strict=True)):
            own = f"{number}{ending}"
            _copy(file, folder / own, hashed)
            hashed.update(name.encode() + b"\0")
            kept.append((own, name))
        for changed in (folder, parent, library):
            _make_durable(changed)
        return Upload(folder.name, tuple(kept), hashed.digest())


def paths(library: Path, folder: str, names: Sequence[str]) -> list[Path]:
    """Give the files of an upload."""
    return [library / FOLDER_NAME / folder / name for name in names]


def discard(library: Path, folder: str) -> None:
    """Remove an upload."""
    shutil.rmtree(library / FOLDER_NAME / folder, ignore_errors=True)


def discard_strays(library: Path, wanted: frozenset[str], before: float | None = None) -> None:
    """Remove uploads that no job waits for, such as one a crash cut short.

    With a time, in seconds since 1970, only older ones: a younger one may be just arriving.
    """
    parent = library / FOLDER_NAME
    if parent.is_dir():
        for folder in parent.iterdir():
            is_old = before is None or folder.stat().st_mtime < before
            if folder.name not in wanted and is_old:
                discard(library, folder.name)


def _copy(file: UploadFile, path: Path, hashed: blake2b) -> None:
    with path.open("xb") as output:
        while chunk := file.file.read(_CHUNK):
            hashed.update(chunk)
            output.write(chunk)
        output.flush()
        os.fsync(output.fileno())


def _make_durable(folder: Path) -> None:
    """Put a folder's list of files on the disk; Windows does so by itself."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _shown(name: str) -> str:
    """Give the last part of a client's file name, for people to read and for nothing else."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return "".join(each for each in last if each.isprintable())[-_LONGEST_NAME:] or "unnamed"


def _ending(name: str) -> str:
    suffixes = PurePosixPath(name.lower()).suffixes
    packed = suffixes.pop() if suffixes and suffixes[-1] in _COMPRESSED else ""
    ending = suffixes[-1] if suffixes else ""
    if ending not in ENDINGS:
        raise InputError(
            f"The file {name!r} is of no kind that can be imported; send files that end in "
            f"{', '.join(sorted(ENDINGS))}."
        )
    return ending + packed
