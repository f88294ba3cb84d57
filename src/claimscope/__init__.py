"""Claimscope checks scientific claims against a library of papers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimscope._lazy import lazy
from claimscope._version import __version__

if TYPE_CHECKING:
    from claimscope.checker import Checker
    from claimscope.labels import Label
    from claimscope.library.importer import import_files
    from claimscope.library.location import open_library
    from claimscope.library.protocol import Library
    from claimscope.pipeline.pipeline import Pipeline
    from claimscope.types import Candidate, Case, Claim, Document, Metadata, Verdict

__all__ = [
    "Candidate",
    "Case",
    "Checker",
    "Claim",
    "Document",
    "Label",
    "Library",
    "Metadata",
    "Pipeline",
    "Verdict",
    "__version__",
    "import_files",
    "open_library",
]

_HOMES = {
    **dict.fromkeys(("Candidate", "Case", "Claim", "Document", "Metadata", "Verdict"), "types"),
    "Checker": "checker",
    "Label": "labels",
    "Library": "library.protocol",
    "Pipeline": "pipeline.pipeline",
    "import_files": "library.importer",
    "open_library": "library.location",
}
__getattr__, __dir__ = lazy(__name__, _HOMES)
