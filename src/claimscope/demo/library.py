"""Opens the demonstration library, which is built once from the records in the package."""

from __future__ import annotations

import shutil
import tempfile
from hashlib import blake2b
from importlib.resources import as_file, files
from pathlib import Path

from platformdirs import user_cache_path

from claimscope.errors import LibraryError
from claimscope.ingest.jsonl import read
from claimscope.ingest.record import Failure
from claimscope.library.local import LocalLibrary

ABOUT = (
    "This is the built-in demonstration library: {count} summaries of well-known studies, written "
    "for Claimscope. Add your own papers with 'claimscope library add FILE'."
)


def open_demo() -> LocalLibrary:
    """Open the demonstration library, building it in the user's cache if it is not there."""
    records = files("claimscope.demo").joinpath("records.jsonl")
    fingerprint = blake2b(records.read_bytes(), digest_size=8).hexdigest()
    folder = user_cache_path("claimscope") / f"demo-{fingerprint}"
    if not folder.is_dir():
        with as_file(records) as path:
            _build(path, folder)
    return LocalLibrary(folder)


def _build(records: Path, folder: Path) -> None:
    """Build beside the folder and rename, so that nobody meets a half-built library."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="demo-", dir=folder.parent))
    try:
        with LocalLibrary(fresh, create=True) as library:
            documents = list(read(records))
            for item in documents:
                if isinstance(item, Failure):
                    raise LibraryError(f"The demonstration library is damaged: {item.reason}")
            library.add(item for item in documents if not isinstance(item, Failure))
        fresh.rename(folder)
    except OSError:
        # Another process was quicker; its library is the same.
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
