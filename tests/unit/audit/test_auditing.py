"""An audit says of each citation what the cited paper says, with a quote, or why it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope import Checker, open_library
from claimscope.audit import (
    Answers,
    Audit,
    Options,
    audit,
    read_bibliography,
    read_manuscript,
)
from claimscope.audit.report import Level, Outcome, RemarkKind
from claimscope.audit.resolve import Resolver
from claimscope.library.local import LocalLibrary
from claimscope.types import Document, Metadata

BIB = """
@article{aspirin, title={Final report on the aspirin component of the ongoing Physicians' Health
  Study}, year=1989}
@article{hope, title={Vitamin E supplementation and cardiovascular events in high-risk patients},
  year=2000, doi={10.1056/NEJM200001203420302}}
@article{peanut, doi={10.1056/NEJMoa1414850}, title={Randomized trial of peanut consumption}}
@article{stap, doi={10.1038/nature12968}, title={Stimulus-triggered fate conversion}}
@article{wrong, doi={10.1038/nature12968}, title={Quite another paper on whales}}
@article{absent, title={A paper that no library has}, year=2001}
"""

TEXT = """# Audit

Low-dose aspirin reduced the risk of a first heart attack in men [@aspirin].
Vitamin E lowers cardiovascular events by 12% in people at high risk [@hope].
Eating peanut in infancy prevents most peanut allergy [@peanut].
Vitamin E lowers cardiovascular events in people at high risk [@peanut].
Cells become pluripotent under stress [@stap]. Whales live long and eat krill [@wrong].
Krill live in cold oceans and seas [@absent]. Nobody knows this at all, ever [@nothing].
Is vitamin E of any use to people [@hope]?
Die Einnahme von Vitamin E senkt das Risiko nicht und ist für die Patienten ohne Wert [@hope].
They wrote that "No component of the outcome was reduced" and "Taking vitamin E for more than nine
years gave people at high risk no protection" [@hope].
Renal denervation did not lower blood pressure more than a sham procedure.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalLibrary]:
    with pytest.MonkeyPatch.context() as patch:
        # Another version may have written the demonstration library of this machine.
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
        with open_library("demo") as opened:
            yield opened


@pytest.fixture(scope="module")
def checker(library: LocalLibrary) -> Checker:
    return Checker(library)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit")
    (path / "refs.bib").write_text(BIB, "utf-8")
    (path / "paper.md").write_text(TEXT, "utf-8")
    return path


@pytest.fixture(scope="module")
def found(library: LocalLibrary, checker: Checker, folder: Path) -> Audit:
    answers = Answers(folder / "answers.json")
    references = read_bibliography(folder / "refs.bib")
    return audit(read_manuscript(folder / "paper.md"), library, checker, references, answers)


def test_each_citation_has_its_outcome(found: Audit) -> None:
    assert [(item.place, item.key, item.outcome) for item in found.citations] == [
        (3, "aspirin", Outcome.SUPPORTS),
        (4, "hope", Outcome.CONTRADICTS),
        (5, "peanut", Outcome.SUPPORTS),
        (6, "peanut", Outcome.SILENT),
        (7, "stap", Outcome.RETRACTED),
        (7, "wrong", Outcome.AMBIGUOUS),
        (8, "absent", Outcome.NOT_IN_LIBRARY),
        (8, "nothing", Outcome.NO_ENTRY),
        (9, "hope", Outcome.NOT_A_CLAIM),
        (10, "hope", Outcome.OTHER_LANGUAGE),
        (11, "hope", found.citations[-1].outcome),
    ]


def test_no_verdict_without_a_verbatim_quote(found: Audit, library: LocalLibrary) -> None:
    sided = [
        item for item in found.citations if item.outcome in {Outcome.SUPPORTS, Outcome.CONTRADICTS}
    ]
    assert sided
    for item in sided:
        assert item.quotes
    for quote in (quote for item in (*found.citations, *found.remarks) for quote in item.quotes):
        [document] = library.get([quote.document_id])
        assert document.abstract[quote.start : quote.end] == quote.text


def test_remarks_name_quotations_numbers_and_uncited_claims(found: Audit) -> None:
    kinds = [(remark.kind, remark.place) for remark in found.remarks]
    assert kinds.count((RemarkKind.QUOTATION, 11)) == 1
    assert (RemarkKind.NUMBERS, 4) in kinds
    assert (RemarkKind.UNCITED, 13) in kinds
    assert all(
        remark.level is Level.NOTE for remark in found.remarks if remark.kind is RemarkKind.NUMBERS
    )


def test_only_changed_sentences_are_checked_again(
    found: Audit, library: LocalLibrary, checker: Checker, folder: Path
) -> None:
    references = read_bibliography(folder / "refs.bib")
    changed = folder / "changed.md"
    changed.write_text(TEXT.replace("of a first heart attack", "of a heart attack"), "utf-8")
    asked: list[str] = []
    kept = Answers(folder / "answers.json")
    put = kept.put

    def noted(key: str, answer: object) -> None:
        asked.append(key)
        put(key, answer)

    kept.put = noted  # type: ignore[method-assign]
    again = audit(read_manuscript(changed), library, checker, references, kept)
    assert len(asked) == 1
    assert again.citations[1:] == found.citations[1:]
    assert again.remarks == found.remarks


def test_broken_answers_are_asked_for_again(
    found: Audit, library: LocalLibrary, checker: Checker, tmp_path: Path
) -> None:
    (tmp_path / "answers.json").write_text('{"half', "utf-8")
    path = tmp_path / "one.md"
    path.write_text(TEXT.splitlines()[2].replace("@aspirin", "@10.1056/NEJM198907203210301"))
    read = read_manuscript(path)
    quiet = Options(with_uncited=False)
    result = audit(read, library, checker, (), Answers(tmp_path / "answers.json"), quiet)
    assert [item.outcome for item in result.citations] == [Outcome.SUPPORTS]
    assert (
        replace(result.citations[0], place=3, label="", key="")
        == replace(found.citations[0], label="", key="")
        or result.citations[0].quotes == found.citations[0].quotes
    )


class _Papers:
    """A library of a few papers, found by nothing but title."""

    def __init__(self, *documents: Document) -> None:
        self._documents = {document.id: document for document in documents}

    def find(self, words: str) -> Document:
        from claimscope.errors import InputError

        raise InputError(words)

    def search(self, queries: list[str], k: int) -> list[list[object]]:
        from claimscope.library.protocol import Hit

        return [[Hit(name, 1.0) for name in self._documents] for _ in queries]

    def get(self, ids: list[str]) -> list[Document]:
        return [self._documents[name] for name in ids]


def test_two_papers_of_one_title_are_ambiguous(tmp_path: Path) -> None:
    title = "The same title of two papers"
    papers = _Papers(
        Document("a", title, meta=Metadata(year=2001)),
        Document("b", title, meta=Metadata(year=2010)),
    )
    text = "Much is known (Smith 2001; Smith 2010; Lee 2001).\n\n# References\n\n"
    text += f"- Smith J. {title}. 2001.\n- Smith J. {title}. 2010.\n- Lee K. {title}.\n"
    path = tmp_path / "paper.md"
    path.write_text(text, "utf-8")
    read = read_manuscript(path)
    resolver = Resolver(papers, read.references)  # type: ignore[arg-type]
    [mark] = read.blocks[0].marks
    first, second, third = resolver.resolve(mark)
    assert first.document is not None
    assert first.document.id == "a"
    assert second.document is not None
    assert second.document.id == "b"
    assert third.document is None
