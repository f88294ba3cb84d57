"""Cuts long sequences into pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def pieces(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Give the items in lists of at most so many."""
    rest = iter(items)
    while piece := list(islice(rest, size)):
        yield piece
