"""Where libraries are: opening them, building fixed ones, and the demonstration library."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from claimscope.errors import InputError, LibraryError, MissingExtraError
from claimscope.ingest.jsonl import read
from claimscope.ingest.record import Failure
from claimscope.library.faults import library_faults
from claimscope.library.local import LocalLibrary
from claimscope.library.migrations import MIGRATIONS
from claimscope.library.protocol import ManagedLibrary
from claimscope.library.store import FILE_NAME
from claimscope.types import Document

ENVIRONMENT_VARIABLE = "CLAIMSCOPE_LIBRARY"
DEMO = "demo"
"""The location that names the demonstration library; a folder of that name is written ./demo."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def resolve_location(argument: str | None) -> str:
    """Give the library's path or URL: the argument's, else the environment's, else the default."""
    return argument or os.environ.get(ENVIRONMENT_VARIABLE) or default_location()


def default_location() -> str:
    """Give the folder of the user's own library, whether or not it exists."""
    return str(user_data_path("claimscope", appauthor=False) / "library")


def exists(location: str) -> bool:
    """Say whether there is a library at a path."""
    folder = Path(location).expanduser()
    with library_faults(folder):
        return (folder / FILE_NAME).is_file()


def is_remote(location: str) -> bool:
    """Say whether a location is a URL and not a folder."""
    return bool(_URL.match(location))


def open_library(location: str, *, create: bool = False, write: bool = False) -> ManagedLibrary:
    """Open the library in a folder, on a server ("qdrant://host:6333/name"), or "demo".

    With `create` a missing one is made; with `write` no other process can change it until it is
    closed.
    """
    if location == DEMO:
        return _open_demo(write)
    if is_remote(location):
        return _open_remote(location, create, write)
    return LocalLibrary(Path(location).expanduser(), create=create, write=write)


def _open_remote(url: str, create: bool, write: bool) -> ManagedLibrary:
    if find_spec("qdrant_client") is None:
        raise MissingExtraError("A library on a server", "cluster")
    from claimscope.library.qdrant.library import QdrantLibrary

    return QdrantLibrary(url, create=create, write=write)


def _open_demo(write: bool) -> LocalLibrary:
    from claimscope.library.location import open_demo

    if write:
        raise InputError(
            "The demonstration library cannot be changed; name a folder with --library PATH."
        )
    return open_demo()


FORM = f"v{len(MIGRATIONS)}"
"""Ends the names of libraries in the cache: another version of Claimscope builds its own."""


def build_library(folder: Path, documents: Iterable[Document]) -> None:
    """Build in a temporary folder and rename it, so that no reader sees a partial library.

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


ABOUT = (
    "This is the built-in demonstration library: {count} summaries of well-known studies, written "
    "for Claimscope. Add your own papers with 'claimscope library add FILE'."
)


def open_demo() -> LocalLibrary:
    """Open the demonstration library, building it in the user's cache if it is not there."""
    records = files("claimscope.library.demo").joinpath("records.jsonl")
    fingerprint = blake2b(records.read_bytes(), digest_size=8).hexdigest()
    folder = user_cache_path("claimscope") / f"demo-{fingerprint}-{FORM}"
    if not folder.is_dir():
        with as_file(records) as path:
            build_library(folder, _documents(path))
    return LocalLibrary(folder)


def _documents(records: Path) -> Iterator[Document]:
    for item in read(records):
        if isinstance(item, Failure):
            raise LibraryError(f"The demonstration library is damaged: {item.reason}")
        yield item
