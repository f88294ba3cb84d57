from __future__ import annotations

from pathlib import Path

from claimscope.ingest.pdf import NOTE

from .helpers import documents_of, make_pdf, outcome, write

PAGE = [
    (9, "Journal of Sleep, 2019, doi: 10.1000/abc."),
    (20, "Coffee and sleep"),
    (20, "in forty adults"),
    (10, "Anna Mueller and J. Doe"),
    (12, "Abstract"),
    (10, "Coffee is common. We found that it de-"),
    (10, "layed sleep by an hour."),
    (12, "1. Introduction"),
    (10, "Everyone drinks coffee."),
]


def test_title_and_abstract_are_guessed_and_marked_as_guesses(tmp_path: Path) -> None:
    (document,) = documents_of(write(tmp_path, "paper.pdf", make_pdf(PAGE)))
    assert document.title == "Coffee and sleep in forty adults"
    assert document.sentences == ("Coffee is common.", "We found that it delayed sleep by an hour.")
    assert document.meta.note == NOTE
    assert document.meta.doi == "10.1000/abc"


def test_a_stated_title_is_preferred_unless_a_word_processor_made_it_up(tmp_path: Path) -> None:
    stated = make_pdf(PAGE, title="Coffee and sleep: a trial")
    made_up = make_pdf(PAGE, title="Microsoft Word - final2.doc")
    (first,) = documents_of(write(tmp_path, "a.pdf", stated))
    (second,) = documents_of(write(tmp_path, "b.pdf", made_up))
    assert first.title == "Coffee and sleep: a trial"
    assert second.title == "Coffee and sleep in forty adults"


def test_the_word_abstract_in_a_name_heads_no_abstract(tmp_path: Path) -> None:
    page = [(20, "On groups and rings"), (10, "Abstract Algebra Reports"), (10, "Some text.")]
    (document,) = documents_of(write(tmp_path, "a.pdf", make_pdf(page)))
    assert not document.has_abstract


def test_a_pdf_without_text_is_refused_with_advice(tmp_path: Path) -> None:
    _, (failure,) = outcome(write(tmp_path, "scan.pdf", make_pdf([])))
    assert "OCR" in failure.reason


def test_a_damaged_pdf_is_one_failure(tmp_path: Path) -> None:
    _, (failure,) = outcome(write(tmp_path, "cut.pdf", make_pdf(PAGE)[:300]))
    assert failure.line is None
