from __future__ import annotations

import io
import random
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import openpyxl.xml.functions
import pytest
from defusedxml import EntitiesForbidden
from openpyxl import Workbook

from claimscope.ingest import xlsx

from .helpers import documents_of, outcome, write


def workbook(path: Path, *rows: tuple[object, ...]) -> Path:
    book = Workbook()
    sheet = book.create_sheet("papers", 0)
    for row in rows:
        sheet.append(list(row))
    book.create_sheet("empty")
    book.save(path)
    return path


def test_rows_become_documents(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "list.xlsx",
        ("My papers",),
        ("Article Title", "AB", "PMID", "Publication date"),
        ("Coffee", "Coffee delays sleep.\nIt does.", 123.0, date(2019, 5, 1)),
        (None, None, 5, None),
        ("Tea", None, None, None),
    )
    documents, (failure,) = outcome(path)
    assert documents[0].id == "pmid:123"
    assert documents[0].sentences == ("Coffee delays sleep.", "It does.")
    assert documents[0].meta.year == 2019
    assert documents[1].title == "Tea"
    assert failure.line == 4


def test_a_workbook_is_known_by_its_content(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", ("title", "year"), ("A", 2000))
    (document,) = documents_of(path.rename(tmp_path / "download"))
    assert (document.title, document.meta.year) == ("A", 2000)


def test_a_workbook_without_known_columns_is_refused(tmp_path: Path) -> None:
    _, (failure,) = outcome(workbook(tmp_path / "x.xlsx", ("a", "b"), (1, 2)))
    assert "add a header row" in failure.reason


def rewritten(path: Path, part: str, content: bytes) -> Path:
    """Give a copy of a workbook with one part replaced."""
    target = path.with_name("rewritten.xlsx")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            new.writestr(entry.filename, content if entry.filename == part else old.read(entry))
    return target


@pytest.mark.parametrize("content", [b" " * 50_000_000, b"<row/>" * 2_000_000])
def test_a_workbook_that_expands_absurdly_is_refused(tmp_path: Path, content: bytes) -> None:
    path = workbook(tmp_path / "x.xlsx", ("title",), ("A",))
    bomb = rewritten(path, "xl/worksheets/sheet1.xml", content)
    assert bomb.stat().st_size < 100_000
    _, (failure,) = outcome(bomb)
    assert "expands" in failure.reason


def test_a_workbook_with_entities_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", ("title",), ("A",))
    evil = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet>&x;</worksheet>'
    _, (failure,) = outcome(rewritten(path, "xl/worksheets/sheet1.xml", evil))
    assert "unsafe" in failure.reason


SHEET = "xl/worksheets/sheet1.xml"
BOMB = (
    '<!DOCTYPE a [<!ENTITY x "{}">]><worksheet'
    ' xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    '<row r="1"><c r="A1" t="inlineStr"><is><t>title</t></is></c></row>'
    '<row r="2"><c r="A2" t="inlineStr"><is><t>{}</t></is></c></row></sheetData></worksheet>'
).format("ha" * 1_000, "&x;" * 10)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "latin-1"])
@pytest.mark.parametrize("name", [SHEET, "xl/sheet0.dat", "xl/SHEET.XML"])
def test_entities_are_refused_whatever_a_part_is_called_and_encoded_as(
    tmp_path: Path, name: str, encoding: str
) -> None:
    path = workbook(tmp_path / "x.xlsx", ("title",), ("A",))
    declaration = f'<?xml version="1.0" encoding="{encoding.removesuffix("-le")}"?>'
    bomb = (declaration + BOMB).encode(encoding)
    target = tmp_path / "renamed.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            content = bomb if entry.filename == SHEET else old.read(entry)
            part = name if entry.filename == SHEET else entry.filename
            new.writestr(part, content.replace(SHEET.encode(), name.encode()))
    documents, (failure,) = outcome(target)
    assert documents == []
    assert "unsafe" in failure.reason


def test_the_library_that_reads_workbooks_refuses_entities_as_well() -> None:
    assert openpyxl.DEFUSEDXML
    with pytest.raises(EntitiesForbidden):
        list(openpyxl.xml.functions.iterparse(io.BytesIO(BOMB.encode())))


def test_pictures_in_a_workbook_are_left_alone(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", ("title",), ("A",))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/media/image1.png", b"\x89PNG<!DOCTYPE html>" + bytes(range(256)))
    assert [document.title for document in documents_of(path)] == ["A"]


def test_a_row_number_of_billions_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx, "_MOST_ROWS", 1000)
    path = workbook(tmp_path / "x.xlsx", ("title",), ("A",))
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        b'<row r="1"><c r="A1" t="inlineStr"><is><t>title</t></is></c></row>'
        b'<row r="2"><c r="A2" t="inlineStr"><is><t>A</t></is></c></row>'
        b'<row r="99999999999"><c r="A3" t="inlineStr"><is><t>B</t></is></c></row>'
        b"</sheetData></worksheet>"
    )
    documents = documents_of(rewritten(path, "xl/worksheets/sheet1.xml", sheet))
    assert documents[0].title == "A"


def test_a_damaged_workbook_is_one_failure(tmp_path: Path) -> None:
    path = workbook(tmp_path / "x.xlsx", ("title",), ("A",))
    _, (failure,) = outcome(rewritten(path, "xl/workbook.xml", b"<not-a-workbook>"))
    assert "damaged" in failure.reason
    _, (failure,) = outcome(write(tmp_path, "cut.xlsx", path.read_bytes()[:500]), forced="xlsx")
    assert "damaged" in failure.reason


@pytest.mark.parametrize(
    ("part", "element"),
    [("xl/worksheets/sheet1.xml", "<row/>"), ("xl/styles.xml", "<xf/>")],
)
def test_a_workbook_of_empty_elements_is_refused(tmp_path: Path, part: str, element: str) -> None:
    path = workbook(tmp_path / "x.xlsx", ("title", "year"), ("A", 2000))
    noise = random.Random(1).randbytes(200_000).replace(b"<", b" ")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("media/noise.bin", noise)
    hostile = rewritten(path, part, f"<x>{element * 2_000_000}</x>".encode())
    _, (failure,) = outcome(hostile)
    assert "elements" in failure.reason
