"""Reads manuscripts: one reader per format, chosen by the end of the file's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from claimscope.audit.manuscript import Manuscript
from claimscope.audit.readers._text import check_size
from claimscope.errors import UnknownNameError

__all__ = ["ENDINGS", "read_manuscript"]

ENDINGS: Mapping[str, str] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".qmd": "markdown",
    ".rmd": "markdown",
    ".txt": "markdown",
    ".tex": "latex",
    ".docx": "docx",
    ".xml": "jats",
    ".nxml": "jats",
    ".jats": "jats",
    ".pdf": "pdf",
}
"""The reader of each ending."""


def read_manuscript(path: Path) -> Manuscript:
    """Read a manuscript; an unknown ending, or a file that cannot be read, is an `InputError`."""
    check_size(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise UnknownNameError("reader for manuscripts", ending or path.name, ENDINGS)
    read: Callable[[Path], Manuscript] = import_module(f"{__name__}.{ENDINGS[ending]}").read
    return read(path)
