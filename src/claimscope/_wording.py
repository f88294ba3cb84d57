"""Words that depend on a number."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Give "1 paper" or "2,000 papers"."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def by_number(number: int, one: str, many: str) -> str:
    """Give the number with the words for one or for many after it."""
    return f"{number:,} {one if number == 1 else many}"
