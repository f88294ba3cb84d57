"""Word, JATS and PDF manuscripts give the same citations as their authors put in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from tests.unit.ingest.helpers import make_pdf

from claimscope.audit import read_manuscript
from claimscope.audit.manuscript import Manuscript, sentences
from claimscope.errors import FormatError

JATS = """<?xml version="1.0"?>
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front/><body><sec><title>Not [1]</title>
<p>Aspirin helps [<xref ref-type="bibr" rid="B1">1</xref>,
<xref ref-type="bibr" rid="B3">3</xref>–<xref ref-type="bibr" rid="B5">5</xref>].
Smith (<xref ref-type="bibr" rid="B2">2004</xref>) agrees<fig><p>Not</p></fig>.</p></sec>
</body>
<back><ref-list><ref id="B1"><element-citation><name><surname>Lee</surname></name>
<article-title>A title</article-title><year>2004</year>
<pub-id pub-id-type="doi">10.1000/ABC</pub-id></element-citation></ref>
<ref id="B2"><mixed-citation>Smith J. Other. 2004.</mixed-citation></ref>
</ref-list></back></article>
"""


def _keys(read: Manuscript) -> list[tuple[str, int, list[str]]]:
    return [
        (each.text, each.place, [key for mark in each.marks for key in mark.keys])
        for block in read.blocks
        for each in sentences(block)
    ]


def test_jats_xrefs_lead_to_the_list_of_references(tmp_path: Path) -> None:
    path = tmp_path / "paper.xml"
    path.write_text(JATS, "utf-8")
    read = read_manuscript(path)
    assert _keys(read) == [
        ("Aspirin helps.", 3, ["B1", "B3", "B4", "B5"]),
        ("Smith agrees.", 5, ["B2"]),
    ]
    assert [(each.key, each.title, each.doi, each.year) for each in read.references] == [
        ("B1", "A title", "10.1000/abc", 2004),
        ("B2", "", None, 2004),
    ]


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    path = tmp_path / "paper.xml"
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    head = f'<!DOCTYPE article [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    path.write_text(f"{head}<article><body><p>We say &x; here.</p></body></article>", "utf-8")
    assert "SECRET" not in str(read_manuscript(path))


def _field(paragraph: Any, instruction: str, shown: str) -> None:
    for kind in ("begin", "instruction", "separate", "shown", "end"):
        run = paragraph.add_run(shown if kind == "shown" else "")
        if kind == "instruction":
            element = OxmlElement("w:instrText")
            element.text = instruction
            run._r.append(element)
        elif kind != "shown":
            element = OxmlElement("w:fldChar")
            element.set(qn("w:fldCharType"), kind)
            run._r.append(element)


def _zotero(*numbers: int) -> str:
    items = [
        {
            "id": number,
            "uris": [f"http://zotero.org/users/1/items/{number}"],
            "itemData": {
                "title": f"Title {number}",
                "DOI": f"10.1000/{number}",
                "issued": {"date-parts": [["2004"]]},
                "author": [{"family": "Lee"}],
            },
        }
        for number in numbers
    ]
    return " ADDIN ZOTERO_ITEM CSL_CITATION " + json.dumps({"citationItems": items})


def test_word_fields_and_typed_citations(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Introduction", 1)
    first = document.add_paragraph("Aspirin helps ")
    _field(first, _zotero(7, 8), "(Lee 2004)")
    first.add_run(". See ")
    _field(first, ' HYPERLINK "https://example.org" ', "the page")
    first.add_run(" of it.")
    second = document.add_paragraph("Tea warms")
    second.add_run("2,3").font.superscript = True
    second.add_run(".")
    document.add_paragraph("Milk cools [1].")
    third = document.add_paragraph("Word cites ")
    _field(third, " CITATION Smi04 \\l 1033 \\m Doe05", "(Smith, 2004; Doe)")
    third.add_run(".")
    document.add_heading("References", 1)
    document.add_paragraph("1. Smith J. A title. 2004. doi:10.1000/abc")
    path = tmp_path / "paper.docx"
    document.save(str(path))
    source = (
        '<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography">'
        "<b:Source><b:Tag>Smi04</b:Tag><b:Title>A</b:Title><b:Year>2004</b:Year></b:Source>"
        "</b:Sources>"
    )
    with ZipFile(path, "a") as archive:
        archive.writestr("customXml/item9.xml", source)
    read = read_manuscript(path)
    zotero = "http://zotero.org/users/1/items/"
    assert _keys(read) == [
        ("Aspirin helps .", 2, [f"{zotero}7", f"{zotero}8"]),
        ("See the page of it.", 2, []),
        ("Tea warms.", 3, ["2", "3"]),
        ("Milk cools .", 4, ["1"]),
        ("Word cites .", 5, ["Smi04", "Doe05"]),
    ]
    known = {each.key: (each.title, each.doi, each.year) for each in read.references}
    assert known[f"{zotero}7"] == ("Title 7", "10.1000/7", 2004)
    assert known["Smi04"] == ("A", None, 2004)
    assert known["1"] == ("", "10.1000/abc", 2004)


def test_a_pdf_gives_sentences_and_its_list(tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    lines = [
        "Aspirin lowered the risk of a first heart attack in men [1, 2], which many of the",
        "trials have confirmed since then.",
        "References",
        "[1] Smith J. A title that goes on over",
        "the line. 2004. doi:10.1000/abc",
        "[2] Lee K. Another. 2010.",
    ]
    path.write_bytes(make_pdf([(11, line) for line in lines]))
    read = read_manuscript(path)
    assert [(place, keys) for _, place, keys in _keys(read)] == [(1, ["1", "2"])]
    assert [(each.key, each.year, each.doi) for each in read.references] == [
        ("1", 2004, "10.1000/abc"),
        ("2", 2010, None),
    ]


@pytest.mark.parametrize("ending", ["docx", "pdf", "xml"])
def test_damaged_files_are_one_sentence(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"paper.{ending}"
    path.write_bytes(b"PK\x03\x04 not a file")
    with pytest.raises(FormatError) as raised:
        read_manuscript(path)
    assert str(raised.value).count("\n") == 0
