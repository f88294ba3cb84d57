"""Opens the demonstration library, which is built once from the records in the package."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from importlib.resources import as_file, files
from pathlib import Path

from platformdirs import user_cache_path

from claimscope.errors import LibraryError
from claimscope.ingest.jsonl import read
from claimscope.ingest.record import Failure
from claimscope.library.building import build_library
from claimscope.library.local import LocalLibrary
from claimscope.types import Document

ABOUT = (
    "This is the built-in demonstration library: {count} summaries of well-known studies, written "
    "for Claimscope. Add your own papers with 'claimscope library add FILE'."
)


def open_demo() -> LocalLibrary:
    """Open the demonstration library, building it in the user's cache if it is not there."""
    records = files("claimscope.library.demo").joinpath("records.jsonl")
    fingerprint = blake2b(records.read_bytes(), digest_size=8).hexdigest()
    folder = user_cache_path("claimscope") / f"demo-{fingerprint}"
    if not folder.is_dir():
        with as_file(records) as path:
            build_library(folder, _documents(path))
    return LocalLibrary(folder)


def _documents(records: Path) -> Iterator[Document]:
    for item in read(records):
        if isinstance(item, Failure):
            raise LibraryError(f"The demonstration library is damaged: {item.reason}")
        yield item
