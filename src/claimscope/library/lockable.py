"""Lets tantivy open an index in a folder where it cannot lock a file.

Every reader of tantivy locks `.tantivy-meta.lock` while it opens the files of a commit, and opens
that file for writing. Where that is not allowed, it is given a folder of links to the same files.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from claimscope.library.faults import NO_PERMISSION

_LOCK = ".tantivy-meta.lock"


@contextmanager
def lockable(folder: Path) -> Iterator[Path]:
    """Give the folder, or one of links to its files; that is needed only while opening them."""
    if _can_lock(folder):
        yield folder
        return
    # Windows keeps files that are open.
    with tempfile.TemporaryDirectory(prefix="claimscope-", ignore_cleanup_errors=True) as place:
        for path in folder.absolute().iterdir():
            if path.suffix != ".lock":
                _link(path, Path(place) / path.name)
        yield Path(place)


def _can_lock(folder: Path) -> bool:
    try:
        os.close(os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666))
    except OSError as error:
        if error.errno not in NO_PERMISSION:
            raise
        return False
    return True


def _link(path: Path, to: Path) -> None:
    try:
        to.symlink_to(path)
    except OSError:
        # Windows lets not everybody make links.
        shutil.copyfile(path, to)
