"""Claimscope checks scientific claims against a library of papers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from claimscope._version import __version__

if TYPE_CHECKING:
    from claimscope.checker import Checker
    from claimscope.labels import Label
    from claimscope.library.importer import import_files
    from claimscope.library.location import open_library
    from claimscope.pipeline.pipeline import Pipeline
    from claimscope.types import Candidate, Case, Claim, Document, Metadata, Verdict

__all__ = [
    "Candidate",
    "Case",
    "Checker",
    "Claim",
    "Document",
    "Label",
    "Metadata",
    "Pipeline",
    "Verdict",
    "__version__",
    "import_files",
    "open_library",
]

# Names are loaded when they are first used, so that `claimscope --help` stays instant.
_HOMES = {
    "Checker": "checker",
    "Label": "labels",
    "Pipeline": "pipeline.pipeline",
    "import_files": "library.importer",
    "open_library": "library.location",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'claimscope' has no attribute {name!r}")
    return getattr(import_module(f"claimscope.{_HOMES.get(name, 'types')}"), name)
