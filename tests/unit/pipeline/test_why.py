import pytest

from claimscope.checker import Checker
from claimscope.errors import InputError
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.why import why
from claimscope.stages.decide.votes import AnyEvidence
from claimscope.stages.judge.rationale import Majority
from claimscope.stages.oracle import OracleRetriever
from claimscope.stages.rerank.cut import Cut
from claimscope.stages.retrieve.library_bm25 import LibraryBM25
from claimscope.types import Claim

CLAIM = Claim("Aspirin lowers the risk of heart attack in older adults")


def test_a_document_below_the_cut_is_told_its_rank(library: LocalLibrary) -> None:
    answer = why(LibraryBM25(library, k=1) >> Cut(k=1), CLAIM, "aspirin")
    assert [step.kept for step in answer.steps] == [False]
    assert answer.steps[0].rank == 2
    assert answer.conclusion == (
        "Dropped at retrieve.bm25: it ranks 2, and the stage kept the first 1."
    )


def test_a_document_dropped_later_is_told_by_whom(library: LocalLibrary) -> None:
    answer = why(LibraryBM25(library, k=5) >> Cut(k=1), CLAIM, "aspirin")
    assert [(step.stage, step.kept) for step in answer.steps] == [
        ("retrieve.bm25", True),
        ("rerank.cut", False),
    ]
    assert "came in at rank 2" in answer.conclusion


def test_a_document_that_shares_no_word(library: LocalLibrary) -> None:
    answer = why(LibraryBM25(library, k=5) >> Cut(k=1), Claim("Zebra stripes"), "ice")
    assert "no searchable word" in answer.conclusion


def test_a_retriever_that_knows_no_ranks_says_less(library: LocalLibrary) -> None:
    answer = why(OracleRetriever(library, {}) >> Cut(k=1), CLAIM, "ice")
    assert answer.conclusion == "Dropped at retrieve.oracle: it is not among the 0 the stage found."


def test_a_document_that_reaches_the_end(library: LocalLibrary) -> None:
    pipeline = LibraryBM25(library, k=5) >> Majority("REFUTES") >> AnyEvidence()
    assert "counts as refuting" in why(pipeline, CLAIM, "aspirin").conclusion
    silent = LibraryBM25(library, k=5) >> Majority("NEI") >> AnyEvidence()
    assert "judged to say too little" in why(silent, CLAIM, "aspirin").conclusion
    measles = Claim("Measles vaccination has a link with autism")
    assert "it is retracted" in why(pipeline, measles, "measles-link").conclusion


def test_a_document_that_is_not_in_the_library(library: LocalLibrary) -> None:
    with pytest.raises(InputError, match="no document 'unicorn'"):
        Checker(library).why(CLAIM.text, "unicorn")
