"""Compares the files of the lexical index with the checksums tantivy ends them with."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path

FAST = ".fast"
"""Files tantivy trusts blindly; read in a damaged state, they end the whole process."""


def damaged_files(folder: Path, ending: str = "") -> Iterator[Path]:
    """Give the damaged files of the segments in use, of all kinds or of one ending."""
    segments = _segments(folder)
    for path in sorted(folder.iterdir()):
        if path.name.split(".")[0] in segments and path.name.endswith(ending):
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                # A writer has just merged this segment into another.
                continue
            if not _is_sound(content):
                yield path


def _segments(folder: Path) -> set[str]:
    """Give the names of the segments in use; a list that is none is a `ValueError`."""
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        return {segment["segment_id"].replace("-", "") for segment in meta["segments"]}
    except (AttributeError, LookupError, TypeError, RecursionError) as error:
        raise ValueError("its list of segments is damaged") from error


def _is_sound(content: bytes) -> bool:
    """Check a file of tantivy: body, JSON footer with the body's CRC-32, its length, a mark."""
    footer_length = int.from_bytes(content[-8:-4], "little")
    body, footer = content[: -8 - footer_length], content[-8 - footer_length : -8]
    try:
        return bool(json.loads(footer)["crc"] == zlib.crc32(body))
    except (ValueError, KeyError, TypeError):
        return False
