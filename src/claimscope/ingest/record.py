"""What readers yield: documents, and failures that name their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from claimscope.types import Document


@dataclass(frozen=True, slots=True)
class Failure:
    """A record, or a whole file, that could not be read, and why."""

    file: str
    line: int | None
    reason: str
    """One sentence a user can act on."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how to know it and how to read it."""

    name: str
    label: str
    """What people call it, such as "PubMed XML"."""
    recognises: Callable[[bytes, Path], bool]
    """Whether a file is of this format, from its first bytes (decompressed) and its name."""
    read: Callable[[Path], Iterator[Document | Failure]]
    """Read every record; a bad one is yielded as a failure and reading goes on."""
