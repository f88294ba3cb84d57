from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.ingest.pdf import NOTE, split_names
from claimscope.ingest.pdf_text import readable

from .helpers import documents_of, encrypted, make_pdf, outcome, write

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


# Byte 174 is the ligature "fi" in the encoding of a font that names none.
PAPER = [
    (9, "Journal of Sleep 12 (2019) 34-56"),
    (20, "The signi\xaecance of coffee"),
    (10, "Anna M\374ller1, J. P. Doe2,* and Xin Li"),
    (10, "1 University of Somewhere"),
    (12, "ABSTRACT"),
    (10, "We found no signi\xaecance of cof-"),
    (10, "fee in well-"),
    (10, "known trials. The \xaenal dose was low."),
    (12, "Contents"),
    (10, "1 Introduction 2"),
]


def test_ligatures_and_hyphenated_words_are_made_whole(tmp_path: Path) -> None:
    (document,) = documents_of(write(tmp_path, "a.pdf", make_pdf(PAPER)))
    assert document.title == "The significance of coffee"
    assert document.sentences == (
        "We found no significance of coffee in well-known trials.",
        "The final dose was low.",
    )
    assert all(sentence in document.abstract for sentence in document.sentences)


@pytest.mark.parametrize(
    "heading",
    [
        "Contents",
        "Cont ent s",
        "1",
        "Keywords: coffee; sleep",
        "Key words coffee",
        "Index Terms-coffee",
        "1 Introduction",
        "I. INTRODUCTION",
        "1. The problem",
        "CCS Concepts: Coffee",
        "PACS numbers: 12.3",
    ],
)
def test_the_abstract_ends_before_the_next_heading(tmp_path: Path, heading: str) -> None:
    page = [*PAPER[:-2], (10, heading), (10, "Contents"), (10, "More text.")]
    (document,) = documents_of(write(tmp_path, "a.pdf", make_pdf(page)))
    assert document.abstract.endswith("The final dose was low.")


def test_authors_and_year_come_from_the_first_page(tmp_path: Path) -> None:
    (document,) = documents_of(write(tmp_path, "a.pdf", make_pdf(PAPER)))
    assert document.meta.authors == ("Anna M\374ller", "J. P. Doe", "Xin Li")
    assert document.meta.year == 2019


def test_authors_and_year_come_from_the_properties(tmp_path: Path) -> None:
    more = b"/Author (Jane Roe; John Public) /CreationDate (D:20180102030405Z)"
    page = [*PAPER[1:2], *PAPER[4:]]
    (document,) = documents_of(write(tmp_path, "a.pdf", make_pdf(page, more=more)))
    assert document.meta.authors == ("Jane Roe", "John Public")
    assert document.meta.year == 2018


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("signi\ufb01cance e\ufb00ect \ufb02ow di\ufb03cult", "significance effect flow difficult"),
        ("signi\u00adficance", "significance"),
        ("signifi\u00ad\r\ncance", "significance"),
        ("signifi\ufffe\r\ncance", "significance"),
        ("signifi-\ncance", "significance"),
        ("a well-known dose in well-\nknown trials", "a well-known dose in well-known trials"),
        ("vitamin-\nD and 10-\n20 mg", "vitamin-D and 10-20 mg"),
    ],
)
def test_printed_text_is_made_readable(printed: str, read: str) -> None:
    assert readable(printed) == read


@pytest.mark.parametrize("password", ["", "secret"])
def test_an_encrypted_pdf_opens_if_it_asks_for_no_password(tmp_path: Path, password: str) -> None:
    path = write(tmp_path, "a.pdf", encrypted(make_pdf(PAPER), password))
    documents, failures = outcome(path)
    if password:
        assert "password" in failures[0].reason
    else:
        assert documents[0].title == "The significance of coffee"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("J. P. Doe and Ludwig van Beethoven", ("J. P. Doe", "Ludwig van Beethoven")),
        ("O'Neil Mary; Jean-Paul S.", ("O'Neil Mary", "Jean-Paul S.")),
        ("D-76133 Karlsruhe, Germany", ()),
        ("American Physical Society", ()),
        ("Copyright", ()),
        ("Typesetting with style", ()),
        ("", ()),
    ],
)
def test_only_names_are_taken_for_authors(text: str, names: tuple[str, ...]) -> None:
    assert split_names(text) == names
