"""Checksums of a model's weights, so that a result can name exactly what computed it."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

_SUFFIXES = frozenset({".onnx", ".onnx_data", ".safetensors"})


def weights_sha256(*folders: Path) -> str:
    """Give the SHA-256 of the weights in a folder, or in several that work together.

    Of one file it is the file's own; of several, that of the lines `sha256sum` prints for them.
    """
    files = [
        path
        for folder in folders
        for path in sorted(each for each in folder.iterdir() if each.suffix in _SUFFIXES)
    ]
    sums = [(path.name, sha256(path)) for path in files]
    if len(sums) == 1:
        return sums[0][1]
    lines = "".join(f"{checksum}  {name}\n" for name, checksum in sums)
    return hashlib.sha256(lines.encode()).hexdigest()


def sha256(path: Path) -> str:
    """Give the checksum of a file; one that has not changed since is not read again."""
    state = path.stat()
    return _read(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _read(path: Path, size: int, changed: int) -> str:
    """Read a file; size and time of change are part of what the answer is kept under."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
