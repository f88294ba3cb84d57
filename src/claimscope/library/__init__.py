"""A library of papers: opened, filled, searched and written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimscope._lazy import lazy

if TYPE_CHECKING:
    from claimscope.library.export import export_to
    from claimscope.library.importer import ImportSummary, import_files
    from claimscope.library.local import LocalLibrary
    from claimscope.library.location import open_library
    from claimscope.library.protocol import AddReport, Hit, Library

__all__ = [
    "AddReport",
    "Hit",
    "ImportSummary",
    "Library",
    "LocalLibrary",
    "export_to",
    "import_files",
    "open_library",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "AddReport": "protocol",
        "Hit": "protocol",
        "ImportSummary": "importer",
        "Library": "protocol",
        "LocalLibrary": "local",
        "export_to": "export",
        "import_files": "importer",
        "open_library": "location",
    },
)
