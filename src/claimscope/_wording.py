"""Words that depend on a number, and the commands that install Claimscope."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Give "1 paper" or "2,000 papers"."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def by_number(number: int, one: str, many: str) -> str:
    """Give the number with the words for one or for many after it."""
    return f"{number:,} {one if number == 1 else many}"


def install_command(extra: str) -> str:
    """Give the command that adds an extra; it works in the folder of a checkout."""
    return f'pip install ".[{extra}]"'


def install_advice(extra: str) -> str:
    """Say in words how to add an extra."""
    return f"run {install_command(extra)} in the checkout of Claimscope"


def update_advice() -> str:
    """Say in words how to get a newer version."""
    return "update the checkout of Claimscope and run 'pip install --upgrade .' in it"
