"""Models that stages use: where they are, how they are opened and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimscope._lazy import lazy

if TYPE_CHECKING:
    from claimscope.models.loader import Models
    from claimscope.models.runtime import Settings

__all__ = [
    "Models",
    "Settings",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "Models": "loader",
        "Settings": "runtime",
    },
)
