"""Opens the manuscripts that are plain text."""

from __future__ import annotations

from pathlib import Path

from claimscope.errors import FormatError, InputError

LARGEST = 20_000_000
"""Bytes of a manuscript; a book has a tenth of it."""


def check_size(path: Path) -> None:
    """Refuse a file that is absent, a folder, or too large to be a manuscript."""
    if not path.is_file():
        raise InputError(f"There is no file {path}; check the name.")
    if path.stat().st_size > LARGEST:
        raise FormatError(
            f"{path} is larger than {LARGEST // 1_000_000} MB, so it is no manuscript; "
            "give the text without its pictures."
        )


def read_text(path: Path) -> str:
    """Read a text in UTF-8, with line feeds at the ends of its lines."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path} is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8."
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", " ")
