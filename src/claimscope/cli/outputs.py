"""Writes JSON for machines, and makes sure early that a file can be written."""

from __future__ import annotations

import json
import sys
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


def write_json(value: object) -> None:
    """Write one line of JSON to standard output."""
    line = json.dumps(value, ensure_ascii=False) + "\n"
    # Half a character, as file names may hold, is no text.
    sys.stdout.write(line.encode(errors="backslashreplace").decode())
