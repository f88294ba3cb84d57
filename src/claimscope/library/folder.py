"""The folder of a library: it is made or refused, and its search index is opened."""

from __future__ import annotations

from pathlib import Path

from claimscope.errors import LibraryError, LibraryNotFoundError
from claimscope.library.applied import UnusableIndexError
from claimscope.library.faults import IndexFailedError, library_faults
from claimscope.library.lexical import FOLDER_NAME, LexicalIndex
from claimscope.library.store import FILE_NAME


def prepare(folder: Path, create: bool) -> None:
    """Make sure that there is a folder with a store in it, or say why there is none."""
    with library_faults(folder):
        if folder.exists() and not folder.is_dir():
            raise LibraryError(f"{folder} is a file; a library is a folder, choose another place.")
        if (folder / FILE_NAME).exists():
            return
        if not create:
            raise LibraryNotFoundError(
                f"There is no library in {folder}; "
                "make one by adding papers: 'claimscope library add FILE'."
            )
        if folder.exists() and any(folder.iterdir()):
            raise LibraryError(
                f"The folder {folder} holds other files; choose an empty or a new one."
            )
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE_NAME).touch()


def open_index(folder: Path) -> LexicalIndex:
    """Open the search index of a library."""
    try:
        return LexicalIndex(folder / FOLDER_NAME)
    except (UnusableIndexError, IndexFailedError) as error:
        raise LibraryError(
            f"The search index of the library {folder} cannot be opened ({error}); "
            "run 'claimscope library rebuild'."
        ) from error
