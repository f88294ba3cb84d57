"""Makes sure that a file can be written before the work that fills it begins."""

from __future__ import annotations

import tempfile
from pathlib import Path

from claimscope.errors import InputError


def require_writable(path: Path | None) -> None:
    """Raise `InputError` if a file cannot be written at a path; no path needs nothing."""
    if path is None:
        return
    if path.is_dir():
        raise InputError(f"Cannot write {path}: it is a folder; name a file in it.")
    try:
        # Files are written beside their place and renamed, so it is the folder that counts.
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise InputError(
            f"Cannot write {path} ({error.strerror or error}); choose a folder that exists and "
            "that you may write to."
        ) from error
