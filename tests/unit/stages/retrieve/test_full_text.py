from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from claimscope.checker import Checker
from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.library.filters import Filter, filtered
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.why import why
from claimscope.stages.retrieve.full_text import FullTextRetriever
from claimscope.stages.retrieve.library_bm25 import LibraryBM25
from claimscope.text import split_sentences
from claimscope.types import Case, Claim, Document, Metadata, Section

CLAIM = "Aspirin reduces the risk of heart attack"
FINDING = "Aspirin significantly reduced the risk of heart attack compared with placebo."


def paper(name: str, title: str, abstract: str, *texts: str, year: int = 2000) -> Document:
    body = tuple(
        Section("Results", text, tuple(split_sentences(text)), page)
        for page, text in enumerate(texts, start=4)
    )
    spans = tuple(split_sentences(abstract))
    return Document(name, title, abstract, spans, Metadata(year=year), body)


HIDDEN = paper("hidden", "Lowland cohort", "Cohort profile: villagers.", FINDING)
PLAIN = paper("plain", "Aspirin and heart attack", "Aspirin was compared with placebo.")
FAINT = paper("faint", "Highland cohort", "Profile: farmers.", "Aspirin was sold in shops.")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LocalLibrary]:
    with LocalLibrary(tmp_path / "x", create=True) as opened:
        opened.add([HIDDEN, PLAIN, FAINT])
        yield opened


def names(case: Case) -> list[str]:
    return [item.document.id for item in case.candidates]


def test_a_paper_is_found_by_its_full_text_and_stands_last(library: LocalLibrary) -> None:
    before = LibraryBM25(library).run([Case(Claim(CLAIM)), Case(Claim("Zebras"))])
    assert [names(case) for case in before] == [["plain"], []]
    found, none = FullTextRetriever(library).run(before)
    assert (names(found), names(none)) == (["plain", "hidden"], [])
    added = found.candidates[-1]
    assert added.document.body == HIDDEN.body
    assert added.scores["retrieve.bm25"].raw == 0.0
    assert "retrieve.full-text" in added.scores


def test_a_passage_must_hold_most_of_the_words(library: LocalLibrary) -> None:
    asked = [Case(Claim(CLAIM))]
    assert names(FullTextRetriever(library).run(asked)[0]) == ["hidden"]
    assert set(names(FullTextRetriever(library, share=0.0).run(asked)[0])) == {"hidden", "faint"}
    assert len(names(FullTextRetriever(library, k=1, share=0.0).run(asked)[0])) == 1
    with pytest.raises(ConfigurationError, match="at least 1"):
        FullTextRetriever(library, k=0)


def test_nothing_changes_without_full_texts(tmp_path: Path) -> None:
    with LocalLibrary(tmp_path / "y", create=True) as opened:
        opened.add([PLAIN])
        before = LibraryBM25(opened).run([Case(Claim(CLAIM))])
        assert FullTextRetriever(opened).run(before) == before


def test_a_filter_holds_for_full_texts_too(library: LocalLibrary) -> None:
    recent = filtered(library, Filter(first_year=2001))
    assert names(FullTextRetriever(recent).run([Case(Claim(CLAIM))])[0]) == []
    library.add([paper("new", "Lowland cohort again", "Profile.", FINDING, year=2005)])
    assert names(FullTextRetriever(recent).run([Case(Claim(CLAIM))])[0]) == ["new"]


def test_the_default_preset_quotes_what_only_a_full_text_says(library: LocalLibrary) -> None:
    checker = Checker(library)
    case = checker.check(CLAIM)
    assert case.verdict is not None
    assert case.verdict.label is Label.SUPPORTS
    assert "hidden" in case.verdict.supporting
    [item] = [item for item in case.candidates if item.document.id == "hidden"]
    assert (item.depth, item.quotes) == ("full text", (FINDING,))
    told = why(checker.pipeline, Claim(CLAIM), "hidden")
    assert told.conclusion == "It reached the end and counts as supporting the claim."
    assert not told.steps[0].kept
