"""A reader names a paper by whatever they know of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.service.documents import find_named
from claimscope.service.settings import Settings
from claimscope.service.state import Service, open_service
from claimscope.types import Document, Metadata

from .running import make_library

DOI = "10.1000/shrews"
SHREWS = Document("shrews", "Shrews hunt worms", meta=Metadata(doi=DOI, pmid="123"))
COPY = Document("copy-of-shrews", "Shrews hunt worms.", meta=Metadata(doi=DOI))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("named") / "library"
    with open_service(Settings(make_library(folder, SHREWS, COPY))) as opened:
        yield opened


@pytest.mark.parametrize(
    "words",
    ["shrews", " copy-of-shrews ", f"https://doi.org/{DOI}", "PMID: 123", "shrews hunt worms"],
)
def test_a_paper_is_found_by_each_of_its_names(service: Service, words: str) -> None:
    found = find_named(service, words)
    assert found.chosen is not None
    assert (found.chosen.id, found.others) == ("shrews", ())


def test_words_of_a_title_suggest_papers_the_best_first(service: Service) -> None:
    found = find_named(service, "aspirin heart attack")
    assert found.chosen is not None
    assert {found.chosen.id, *(other.id for other in found.others)} >= {"aspirin", "aspirin-old"}


@pytest.mark.parametrize("words", ["quokka", "\x00", "?!"])
def test_words_that_name_no_paper_find_none(service: Service, words: str) -> None:
    assert find_named(service, words).chosen is None
