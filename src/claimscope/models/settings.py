"""How models run on this machine: where, in what batches, on how many threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from claimscope.errors import ConfigurationError

DEVICES = ("auto", "cpu", "cuda", "mps")

Progress = Callable[[int, int], None]
"""Told how many of how many texts a model has read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where and how models run; they change speed, never what a result means."""

    device: str = "auto"
    """One of `DEVICES`; "auto" takes the graphics processor if there is one."""
    batch_size: int = 16
    threads: int | None = None
    """None leaves the number to the engine."""

    def __post_init__(self) -> None:
        if self.device not in DEVICES:
            raise ConfigurationError(
                f"There is no device {self.device!r}; choose one of: {', '.join(DEVICES)}."
            )
        for name in ("batch_size", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigurationError(f"The setting {name} must be at least 1, not {value}.")

    @classmethod
    def from_environment(cls) -> Settings:
        """Read CLAIMSCOPE_DEVICE, CLAIMSCOPE_BATCH_SIZE and CLAIMSCOPE_THREADS."""
        batch_size = _whole("CLAIMSCOPE_BATCH_SIZE")
        return cls(
            device=os.environ.get("CLAIMSCOPE_DEVICE", "auto"),
            batch_size=16 if batch_size is None else batch_size,
            threads=_whole("CLAIMSCOPE_THREADS"),
        )


def _whole(variable: str) -> int | None:
    value = os.environ.get(variable)
    if value is None:
        return None
    try:
        return int(value)
    except ValueError:
        raise ConfigurationError(
            f"The environment variable {variable} must be a whole number, not {value!r}."
        ) from None
