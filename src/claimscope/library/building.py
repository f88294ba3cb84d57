"""Builds whole libraries of documents that never change, such as a data set's."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from claimscope.errors import LibraryError
from claimscope.library.local import LocalLibrary
from claimscope.types import Document


def build_library(folder: Path, documents: Iterable[Document]) -> None:
    """Build beside the folder and rename, so that nobody meets a half-built library.

    Every document is kept as it is: two records of one paper stay two.
    """
    fresh = _folder_beside(folder)
    try:
        with LocalLibrary(fresh, create=True) as library:
            library.add(documents, merge=False)
        fresh.rename(folder)
    except OSError:
        # Another process was quicker; its library is the same.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _folder_beside(folder: Path) -> Path:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="building-", dir=folder.parent))
    except OSError as error:
        raise LibraryError(
            f"A library cannot be built in {folder.parent} ({error.strerror or error}); make that "
            "folder writable or, on Linux, name another folder for caches in XDG_CACHE_HOME."
        ) from error
