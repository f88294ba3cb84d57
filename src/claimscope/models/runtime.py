"""How models run on this machine: where, on how many threads, and in which batches."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from claimscope.errors import ConfigurationError

if TYPE_CHECKING:  # Pipelines are built, and presets listed, without NumPy.
    import numpy as np
    from numpy.typing import NDArray

DEVICES = ("auto", "cpu", "cuda", "mps")

Progress = Callable[[int, int], None]
"""Told how many of how many texts a model has read."""
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Settings:
    """Where and how models run; settings change the speed, not the results."""

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


def run_in_batches(
    items: Sequence[Item],
    length: Callable[[Item], int],
    run: Callable[[Sequence[Item]], Sequence[Result]],
    batch_size: int,
    progress: Progress | None = None,
) -> list[Result]:
    """Run items in batches of similar length, longest first; results keep the items' order.

    Similar lengths waste little on padding, and the longest batch shows a lack of memory at once.
    """
    order = sorted(range(len(items)), key=lambda index: (-length(items[index]), index))
    results: dict[int, Result] = {}
    for start in range(0, len(order), batch_size):
        chosen = order[start : start + batch_size]
        results.update(zip(chosen, run([items[index] for index in chosen]), strict=True))
        if progress is not None:
            progress(len(results), len(items))
    return [results[index] for index in range(len(items))]


def token_inputs(rows: Sequence[Sequence[int]], padding: int) -> dict[str, NDArray[np.int64]]:
    """Give what every encoder takes: token ids, and a mask that is 1 where there is one."""
    mask = [[1] * len(row) for row in rows]
    return {"input_ids": padded(rows, padding), "attention_mask": padded(mask, 0)}


def padded(rows: Sequence[Sequence[int]], value: int) -> NDArray[np.int64]:
    """Make a rectangle of rows of whole numbers, filled up on the right."""
    import numpy as np

    width = max(map(len, rows), default=0)
    filled = np.full((len(rows), width), value, dtype=np.int64)
    for row, values in enumerate(rows):
        filled[row, : len(values)] = values
    return filled
