from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.library.local import LocalLibrary


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def opened(folder: Path) -> Iterator[LocalLibrary]:
    """An empty library of the test's own."""
    with LocalLibrary(folder, create=True) as library:
        yield library
