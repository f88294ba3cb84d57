"""The commands that install Claimscope, which come from a checkout: no registry has the package."""

from __future__ import annotations


def install_command(extra: str) -> str:
    """Give the command that adds an extra; it works in the folder of a checkout."""
    return f'pip install ".[{extra}]"'


def install_advice(extra: str) -> str:
    """Say in words how to add an extra."""
    return f"run {install_command(extra)} in the checkout of Claimscope"


def update_advice() -> str:
    """Say in words how to get a newer version."""
    return "update the checkout of Claimscope and run 'pip install --upgrade .' in it"
