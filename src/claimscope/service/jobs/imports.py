"""Stores uploaded files and imports them into the library.

The files wait in a private folder, under names that the service chooses.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any

from starlette.datastructures import UploadFile

from claimscope.errors import InputError
from claimscope.ingest.record import Failure, Skipped
from claimscope.ingest.supervisor import read_in_child
from claimscope.library.faults import library_faults
from claimscope.library.importer import ImportSummary
from claimscope.library.protocol import Library
from claimscope.types import Document

FOLDER_NAME = "uploads"
ENDINGS = frozenset(
    (
        ".ris .nbib .enw .ciw .txt .bib .xml .nxml .json .jsonl .ndjson .csv .tsv .xlsx .parquet "
        ".pdf"
    ).split()
)
"""What the formats of `claimscope library add` come as; the content decides which one it is."""
_COMPRESSED = frozenset({".gz", ".xz"})
_CHUNK = 1 << 20
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Upload:
    """Stored files: their folder and, for each file, our name and the client's name."""

    folder: str
    files: tuple[tuple[str, str], ...]
    fingerprint: bytes


def keep(library: Path, files: Sequence[UploadFile]) -> Upload:
    """Write files to a new folder; once this returns, they survive a power cut."""
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
    """Return the paths of the files of an upload."""
    return [library / FOLDER_NAME / folder / name for name in names]


def discard(library: Path, folder: str) -> None:
    """Delete an upload."""
    shutil.rmtree(library / FOLDER_NAME / folder, ignore_errors=True)


def discard_strays(library: Path, wanted: frozenset[str], before: float | None = None) -> None:
    """Delete uploads that no job needs, such as one that a crash interrupted.

    With `before`, in seconds since 1970, delete only older ones: a newer one may be in progress.
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
    """Flush a folder's list of files to disk; Windows does this by itself."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _shown(name: str) -> str:
    """Return the last part of a client's file name, for display only."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return "".join(each for each in last if each.isprintable())[-_LONGEST_NAME:] or "unnamed"


def _ending(name: str) -> str:
    suffixes = PurePosixPath(name.lower()).suffixes
    packed = suffixes.pop() if suffixes and suffixes[-1] in _COMPRESSED else ""
    ending = suffixes[-1] if suffixes else ""
    if ending not in ENDINGS:
        raise InputError(
            f"The file {name!r} has an unsupported format; send files that end in "
            f"{', '.join(sorted(ENDINGS))}."
        )
    return ending + packed


def _without_paths(failure: Failure, shown: Mapping[str, str]) -> Failure:
    """Return a failure with the client's file names in the place of the server's paths."""
    reason = failure.reason
    for path, name in shown.items():
        reason = reason.replace(path, name).replace(str(Path(path).parent), "the upload")
    return replace(failure, file=shown.get(failure.file, "file"), reason=reason)


def run_import(
    library: Library,
    names: Mapping[Path, str],
    on_record: Callable[[int], bool],
) -> dict[str, Any]:
    """Import files and report the outcome.

    `names` gives every file the name to show. `on_record` is told how many records were read, with
    each of them and several times a second while there is none, and says whether to go on; what
    was read before stays in the library.
    """
    shown = {str(path): name for path, name in names.items()}
    own = {path.name: name for path, name in names.items()}
    failures: list[Failure] = []
    count = 0

    def documents(items: Iterable[Document | Skipped | Failure]) -> Iterator[Document]:
        nonlocal count
        for item in items:
            count += 1
            match item:
                case Document():
                    source = own.get(item.meta.source or "", item.meta.source)
                    yield replace(item, meta=replace(item.meta, source=source))
                case Failure():
                    failures.append(_without_paths(item, shown))
            if not on_record(count):
                return

    with closing(read_in_child(names, go_on=lambda: on_record(count))) as items:
        report = library.add(documents(items))
    return ImportSummary(len(names), report, (), tuple(failures)).to_dict()
