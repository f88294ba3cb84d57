"""Batches of texts of similar length, so that little is wasted on padding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from claimscope.models.settings import Progress

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_in_batches(
    items: Sequence[Item],
    length: Callable[[Item], int],
    run: Callable[[Sequence[Item]], Sequence[Result]],
    batch_size: int,
    progress: Progress | None = None,
) -> list[Result]:
    """Run the items in batches, longest first, and give the results in the items' order.

    The longest batch comes first so that a lack of memory shows at once.
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
    width = max(map(len, rows), default=0)
    filled = np.full((len(rows), width), value, dtype=np.int64)
    for row, values in enumerate(rows):
        filled[row, : len(values)] = values
    return filled
