"""What a lexical index is known to hold: of which library, up to which change and revision."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

from claimscope.library.faults import library_faults

MARK_NAME = "applied.json"
_FORMAT = 2
"""Raised when the schema or the analysis changes, which makes the next opening rebuild."""


class UnusableIndexError(Exception):
    """The index is missing, unreadable or of another format, and must be rebuilt."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What an index is known to hold."""

    library: str
    """The id of the library."""
    sequence: int = 0
    """The last change of the store."""
    revision: str = ""
    """The revision of the store after that change."""


def fingerprint(text: str) -> int:
    """Give a number that differs for different texts."""
    digest = blake2b(text.encode(errors="replace"), digest_size=7).digest()
    return int.from_bytes(digest, "big")


def read_applied(folder: Path) -> Applied:
    """Say what an index is known to hold."""
    try:
        content = json.loads((folder / MARK_NAME).read_text(encoding="ascii"))
        if content["format"] != _FORMAT:
            raise UnusableIndexError("it has another version's format")
        sequence = int(content["sequence"])
        return Applied(str(content["library"]), sequence, str(content["revision"]))
    except (OSError, ArithmeticError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise UnusableIndexError("it is missing or was not finished") from error


def write_applied(folder: Path, applied: Applied) -> None:
    """Note, in one step, what an index holds."""
    with library_faults(folder.parent):
        temporary = folder / f"{MARK_NAME}.new"
        with temporary.open("w", encoding="ascii") as file:
            json.dump({"format": _FORMAT, **asdict(applied)}, file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(folder / MARK_NAME)
