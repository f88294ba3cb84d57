"""How much time and memory the process that reads files may take."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The limits of one record and of one file: far more than real files take.

    Time is that of the processor, so that a busy computer changes nothing. On Windows the
    time of one record is bounded by the clock alone.
    """

    record_seconds: float = 30.0
    """Between two records of a file, and before its first one."""
    file_seconds: float = 120.0
    """For a file, however small it is."""
    seconds_per_megabyte: float = 30.0
    """For every megabyte of a file besides; a compressed PubMed file takes about 0.5."""
    wall_factor: float = 4.0
    """How many times these seconds may pass on the clock while the reader is waited for."""
    memory_bytes: int = 2_000_000_000
    """Address space of the process, where the system can bound it (not on macOS and Windows)."""

    def of_file(self, path: Path) -> float:
        """Give the seconds that a file may take; one that is gone is the reader's business."""
        size = 0
        with suppress(OSError):
            size = path.stat().st_size
        return self.file_seconds + self.seconds_per_megabyte * size / 1e6


def in_words(seconds: float) -> str:
    """Say how long that is."""
    return f"{seconds:,.3g} {'second' if seconds == 1 else 'seconds'}"
