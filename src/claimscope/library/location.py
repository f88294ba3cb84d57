"""Where the library is: an argument, an environment variable, or a folder of the user's own."""

from __future__ import annotations

import os
import re
from pathlib import Path

from platformdirs import user_data_path

from claimscope.errors import InputError, LibraryError
from claimscope.library.faults import library_faults
from claimscope.library.local import LocalLibrary
from claimscope.library.store import FILE_NAME

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


def open_library(location: str, *, create: bool = False, write: bool = False) -> LocalLibrary:
    """Open the library at a path, or the built-in one for "demo"; see `LocalLibrary` for options.

    A URL will open a library on a remote engine, behind the same `Library` protocol.
    """
    if location == DEMO:
        return _open_demo(write)
    if _URL.match(location):
        raise LibraryError(
            f"The library {location} lies on a remote engine, which this version cannot use yet; "
            "give the path of a folder."
        )
    return LocalLibrary(Path(location).expanduser(), create=create, write=write)


def _open_demo(write: bool) -> LocalLibrary:
    from claimscope.library.demo.library import open_demo

    if write:
        raise InputError(
            "The demonstration library cannot be changed; name a folder with --library PATH."
        )
    return open_demo()
