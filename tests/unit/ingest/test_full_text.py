from __future__ import annotations

import time
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, NameObject, NumberObject

from claimscope.ingest import read_in_child
from claimscope.ingest.pdf_sections import find_sections
from claimscope.types import Document

from .helpers import documents_of, make_pdf, outcome, write
from .test_jats import ARTICLE

PAGES = [
    "A title\nDoe J\nAbstract\nShort.\nJournal of Sleep 2019\n1",
    "Journal of Sleep 2019\n1 Introduction\nSleep mat-\nters. We asked whether coffee\n2",
    "Journal of Sleep 2019\ndelays it in adults. Nobody knew.\n2.1 Participants and setting\n"
    "Forty adults.\n3",
    "Journal of Sleep 2019\nRESULTS\nCoffee delayed sleep. It did so by\nan hour.\nReferences\n"
    "1. Doe J. A paper. 2001.\n12 Roe R\nAppendix\nMore words.\n4",
]


def test_pages_become_sections_with_headings_and_pages() -> None:
    found = [(part.page, part.heading, part.text) for part in find_sections(PAGES)]
    assert found == [
        (2, "1 Introduction", "Sleep matters. We asked whether coffee delays it in adults."),
        (3, "1 Introduction", "Nobody knew."),
        (3, "2.1 Participants and setting", "Forty adults."),
        (4, "RESULTS", "Coffee delayed sleep. It did so by an hour."),
        (4, "Appendix", "More words."),
    ]


def test_text_without_headings_is_kept_whole() -> None:
    assert [part.text for part in find_sections(["One line.", "Two lines."])] == [
        "One line.",
        "Two lines.",
    ]
    assert list(find_sections([])) == []
    assert list(find_sections(["", "12"])) == []


@pytest.mark.parametrize("page", ["a" * 20_000, "1 A" * 6_000, "\n" * 20_000, "x-\n" * 6_000])
def test_sections_are_found_in_linear_time(page: str) -> None:
    begun = time.process_time()
    list(find_sections([page] * 20))
    assert time.process_time() - begun < 4


def test_a_pdf_has_its_text_with_pages(tmp_path: Path) -> None:
    lines = [(20, "Coffee and sleep"), (9, "Abstract"), (9, "Open."), (9, "1 Introduction")]
    pdf = make_pdf([*lines, (9, "Coffee delays sleep."), (9, "References"), (9, "1. Doe.")])
    (document,) = documents_of(write(tmp_path, "a.pdf", pdf))
    (section,) = document.body
    assert (section.heading, section.page) == ("1 Introduction", 1)
    assert section.sentences == ("Coffee delays sleep.",)
    assert (document.abstract, document.depth) == ("Open.", "full text")


def test_jats_has_its_text_with_headings(tmp_path: Path) -> None:
    body = """<body><p>Lead.</p><sec><title>Methods</title><p>Forty <xref>1</xref>adults.</p>
    <sec><title>Setting</title><p>At home.</p><fig><caption><p>A picture.</p></caption></fig></sec>
    <p>After.</p></sec></body>"""
    text = ARTICLE.format(kind="x", namespace="").replace("<body><p>Body.</p></body>", body)
    (document,) = documents_of(write(tmp_path, "a.xml", text))
    assert [(each.heading, each.text) for each in document.body] == [
        ("", "Lead."),
        ("Methods", "Forty adults."),
        ("Methods – Setting", "At home."),
        ("Methods", "After."),
    ]


def test_sections_that_are_nested_for_ever_are_one_failure(tmp_path: Path) -> None:
    nested = "<sec>" * 5_000 + "<p>x</p>" + "</sec>" * 5_000
    text = ARTICLE.format(kind="x", namespace="").replace("<p>Body.</p>", nested)
    documents, failures = outcome(write(tmp_path, "a.xml", text))
    assert len(documents) + len(failures) == 1


def test_a_full_text_comes_whole_out_of_the_reading_process(tmp_path: Path) -> None:
    path = write(tmp_path, "a.xml", ARTICLE.format(kind="x", namespace=""))
    assert list(read_in_child([path])) == documents_of(path)


def _many_pages(count: int) -> bytes:
    """Give a PDF whose tree of pages names one page many times."""
    writer = PdfWriter(BytesIO(make_pdf([(12, "A title"), (9, "Abstract"), (9, "Text.")])))
    pages = writer.root_object["/Pages"].get_object()
    pages[NameObject("/Kids")] = ArrayObject([pages["/Kids"][0]] * count)
    pages[NameObject("/Count")] = NumberObject(count)
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


def _loop() -> bytes:
    """Give a PDF whose tree of pages holds itself."""
    writer = PdfWriter(BytesIO(make_pdf([(12, "A title")])))
    pages = writer.root_object["/Pages"]
    tree = writer.root_object.raw_get("/Pages")
    pages[NameObject("/Kids")] = ArrayObject([tree, tree])
    pages[NameObject("/Count")] = NumberObject(2_000_000)
    output = BytesIO()
    writer.write(output)
    return output.getvalue()


def test_of_ten_thousand_pages_the_first_are_read_and_the_note_says_so(tmp_path: Path) -> None:
    (document,) = list(read_in_child([write(tmp_path, "a.pdf", _many_pages(10_000))]))
    assert isinstance(document, Document)
    assert document.title == "A title"
    assert str(document.meta.note).endswith("Only the first 500 of 10,000 pages were read.")


@pytest.mark.parametrize(
    "content",
    [
        _loop(),
        b"%PDF-1.7\n" + b"[" * 200_000,
        b"%PDF-1.7\n1 0 obj <</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 9>> endobj\ntrailer "
        b"<</Root 1 0 R>>",
    ],
)
def test_a_hostile_pdf_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    (item,) = list(read_in_child([write(tmp_path, "a.pdf", content)], format="pdf"))
    assert not isinstance(item, Document)
    assert item.reason.endswith(".")
    assert "\n" not in item.reason
