"""Public names of a package that are imported when they are first used.

Imports stay light (`claimscope --help` must be instant), and tab completion still finds the names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Give the `__getattr__` and `__dir__` of a package; `homes` names the module of each name."""

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    def names() -> list[str]:
        return sorted(homes)

    return get, names
