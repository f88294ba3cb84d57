"""Downloads that resume, are checked, and never leave half a file behind."""

from __future__ import annotations

import hashlib
import tarfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from typing import IO

from claimscope._files import written_whole
from claimscope.errors import FormatError

Progress = Callable[[str, int, int | None], None]
"""Called with a file's name, the bytes had so far, and the bytes in all if they are known."""

_CHUNK = 1 << 20
_TIMEOUT = 30


@dataclass(frozen=True, slots=True)
class Source:
    """A file to download, and what of it goes where in the folder."""

    url: str
    files: Mapping[str, str]
    """Name inside the archive (or of the file itself) to name in the folder."""
    size: int | None = None
    sha256: str | None = None

    @property
    def filename(self) -> str:
        """The name to keep the download under."""
        return self.url.split("?", maxsplit=1)[0].rsplit("/", maxsplit=1)[-1]


def silent(name: str, done: int, total: int | None) -> None:
    """Show no progress."""


def reason(error: Exception) -> str:
    """Say in a few words why a download failed."""
    return str(getattr(error, "reason", None) or error)


def fetch(source: Source, folder: Path, progress: Progress = silent) -> Path:
    """Download to a `.part` file, going on where an earlier attempt stopped."""
    part = folder / f"{source.filename}.part"
    have = part.stat().st_size if part.is_file() else 0
    if source.size is not None and have == source.size:
        return part
    if source.size is not None and have > source.size:
        have = 0
    request = urllib.request.Request(source.url, headers={"User-Agent": "claimscope"})
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        response = urllib.request.urlopen(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416 and have:  # Nothing is left to send: the part is the whole file.
            return part
        raise
    with response:
        resumed = response.status == 206
        _save(response, part, have if resumed else 0, progress, source)
    return part


def _save(response: IO[bytes], part: Path, have: int, progress: Progress, source: Source) -> None:
    """Write what arrives; what has arrived stays when the connection breaks."""
    length = getattr(response, "headers", {}).get("Content-Length")
    total = source.size or (have + int(length) if length else None)
    with part.open("ab" if have else "wb") as file:
        progress(source.filename, have, total)
        while chunk := response.read(_CHUNK):
            file.write(chunk)
            have += len(chunk)
            progress(source.filename, have, total)
    if total is not None and have < total:
        raise OSError(f"the connection ended after {have} of {total} bytes")


def check_download(path: Path, source: Source) -> None:
    """Check size and checksum where they are known; a wrong file is removed."""
    problem = _problem(path, source)
    if problem:
        path.unlink()
        raise FormatError(
            f"The download from {source.url} {problem}; it was removed, try again, and if the same "
            "happens the file at its source has changed."
        )


def _problem(path: Path, source: Source) -> str | None:
    size = path.stat().st_size
    if source.size is not None and size != source.size:
        return f"has {size} bytes where {source.size} belong"
    if source.sha256 is not None and _sha256(path) != source.sha256:
        return "does not have the expected checksum"
    return None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(path: Path, files: Mapping[str, str], folder: Path) -> None:
    """Move the wanted files out of a download into a folder, each whole or not at all.

    Only members that are named are taken, under our own names, so an archive cannot write anywhere
    else.
    """
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            for member, name in files.items():
                _place(_tar_member(archive, member, path), folder / name)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as zipped:
            for member, name in files.items():
                _place(_zip_member(zipped, member, path), folder / name)
    elif len(files) == 1:
        _place(path.open("rb"), folder / next(iter(files.values())))
    else:
        path.unlink()
        raise FormatError(
            f"{path.name} is no archive; its source now gives a web page, so download it by hand."
        )
    path.unlink()


def _tar_member(archive: tarfile.TarFile, member: str, path: Path) -> IO[bytes]:
    for name in (member, f"./{member}"):
        try:
            file = archive.extractfile(name)
        except KeyError:
            continue
        if file is not None:
            return file
    raise _missing(member, path)


def _zip_member(archive: zipfile.ZipFile, member: str, path: Path) -> IO[bytes]:
    try:
        return archive.open(member)
    except KeyError:
        raise _missing(member, path) from None


def _missing(member: str, path: Path) -> FormatError:
    return FormatError(f"{path.name} does not hold {member}; the file at its source has changed.")


def _place(file: IO[bytes], target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with file, written_whole(target) as partial, partial.open("wb") as copy:
        copyfileobj(file, copy, _CHUNK)
