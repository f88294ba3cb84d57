"""A library of ten real documents, small enough to reason about by hand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings

from claimscope.library.local import LocalLibrary
from claimscope.text import split_sentences
from claimscope.types import Document, Metadata
from tests.qdrant import Node, running
from tests.tiny_models import tiny

__all__ = ["tiny"]

# The time of a single example depends on what else the machine does.
settings.register_profile("claimscope", deadline=None)
settings.load_profile("claimscope")

TEXTS = {
    "aspirin": (
        "Aspirin and heart attack",
        "We gave aspirin to 200 adults. Aspirin lowered the risk of heart attack by a third. "
        "Bleeding was more common with aspirin.",
    ),
    "aspirin-old": (
        "Aspirin in older adults",
        "Older adults took aspirin for five years. Aspirin did not lower the risk of heart attack.",
    ),
    "statins": (
        "Statins and cholesterol",
        "Statins lowered cholesterol in a trial. Muscle pain was rare.",
    ),
    "coffee": (
        "Coffee and sleep",
        "Coffee in the evening delayed sleep. The effect was larger in older people.",
    ),
    "tea": ("Tea and iron", "Drinking tea with meals lowered the absorption of iron."),
    "vitamin-d": (
        "Vitamin D and falls",
        "Vitamin D did not prevent falls. The trial had 2000 participants.",
    ),
    "measles": (
        "Measles vaccination",
        "CONCLUSION: Vaccination prevented measles. No link with autism was found.",
    ),
    "measles-link": ("Measles vaccination and autism", "We report a link with autism in children."),
    "ice": ("Ice sheets", "The ice sheets lost mass between 1992 and 2017."),
    "editorial": ("An editorial on aspirin", ""),
}


def document(name: str) -> Document:
    title, abstract = TEXTS[name]
    meta = Metadata(year=2000 + len(name), retracted=name == "measles-link")
    return Document(name, title, abstract, split_sentences(abstract), meta)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalLibrary]:
    """A library that tests only read."""
    with LocalLibrary(tmp_path_factory.mktemp("ten") / "library", create=True) as opened:
        opened.add(document(name) for name in TEXTS)
        yield opened


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of the field's data sets; tests that need it skip where it is absent."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("CLAIMSCOPE_DATA", beside))
    if not folder.is_dir():
        pytest.skip("no data folder: set CLAIMSCOPE_DATA to run the tests on real data")
    return folder


@pytest.fixture(scope="session")
def qdrant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    """A real Qdrant on this machine, one for all tests."""
    node = Node(tmp_path_factory.mktemp("qdrant"))
    with running(node):
        yield node


@pytest.fixture
def collection(qdrant: Node) -> str:
    """The URL of a library that is not there yet."""
    return qdrant.url(f"test-{uuid4().hex[:12]}") + "?vectors=none"
