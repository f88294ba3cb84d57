"""What readers yield: documents, and failures that name their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from claimscope.types import Document

RECORD_LIMIT = 10_000_000
"""Largest record, in bytes of its file; a longer one is refused, so that memory stays bounded."""

LINE_WEIGHT = 50
"""What holding a line costs besides its characters, so that millions of empty ones are bounded."""

OVERSIZE = f"The record is larger than {RECORD_LIMIT // 1_000_000} MB, so it was skipped."


@dataclass(frozen=True, slots=True)
class Failure:
    """A record, or a whole file, that could not be read, and why."""

    file: str
    line: int | None
    reason: str
    """One sentence a user can act on."""
    status: ClassVar[str] = "failed"

    @property
    def place(self) -> str:
        """File and line as compilers write them."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file in a folder whose format is not supported; it was not named by the user."""

    file: str
    reason: str
    status: ClassVar[str] = "skipped"

    @property
    def place(self) -> str:
        """The file, as a failure names it."""
        return self.file


Item = Document | Failure
"""What the reader of a format yields."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how to know it and how to read it."""

    name: str
    label: str
    """What people call it, such as "PubMed XML"."""
    recognises: Callable[[bytes, Path], bool]
    """Whether a file is of this format, from its first bytes (decompressed, UTF-8) and its path."""
    read: Callable[[Path], Iterator[Item]]
    """Read every record; a bad one is yielded as a failure, a bad file raises `FormatError`."""
