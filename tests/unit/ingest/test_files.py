from __future__ import annotations

import importlib.util
import io
import os
import shutil
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.errors import UnknownNameError
from claimscope.ingest import FORMATS, Failure, Format, Skipped, read
from claimscope.types import Document

from .helpers import make_pdf, write

HERE = Path(__file__).parent
RIS = "TY  - JOUR\nTI  - From RIS\nER  - \n"
CSV = "title,year\nFrom CSV,2020\n"


def titles(*paths: str | Path, forced: str | None = None) -> list[str]:
    items = read(paths, format=forced)
    return [item.title for item in items if isinstance(item, Document)]


def reasons(*paths: str | Path) -> list[str]:
    return [item.reason for item in read(paths) if isinstance(item, Failure)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    write(tmp_path / "deep" / "deeper", "a.txt", CSV)
    write(tmp_path / ".hidden", "h.ris", RIS)
    write(tmp_path, ".secret.ris", RIS)
    write(tmp_path, "b.ris", RIS)
    write(tmp_path, "picture.jpg", b"\xff\xd8\xff\xe0" + bytes(range(256)))
    return tmp_path


def test_a_folder_is_read_in_order_without_hidden_files(folder: Path) -> None:
    seen: list[tuple[str, str]] = []

    def note(path: Path, found: Format) -> None:
        seen.append((path.name, found.name))

    items = list(read([folder], on_file=note))
    assert seen == [("b.ris", "ris"), ("a.txt", "csv")]
    assert [item.title for item in items if isinstance(item, Document)] == ["From RIS", "From CSV"]
    (skipped,) = [item for item in items if isinstance(item, Skipped)]
    assert skipped.file.endswith("picture.jpg")
    assert not any(isinstance(item, Failure) for item in items)


def test_a_named_file_of_no_known_format_is_a_failure_that_lists_the_formats(folder: Path) -> None:
    (reason,) = reasons(folder / "picture.jpg")
    assert all(name in reason for name in FORMATS)


def test_patterns_are_expanded_in_order(folder: Path) -> None:
    assert titles(f"{folder}/**/*.txt", f"{folder}/*.ris") == ["From CSV", "From RIS"]
    assert reasons(f"{folder}/*.nbib") == ["No file matches this pattern."]


def test_a_name_with_brackets_is_a_file_before_it_is_a_pattern(tmp_path: Path) -> None:
    assert titles(write(tmp_path, "export [1].ris", RIS)) == ["From RIS"]


def test_loops_of_links_end(folder: Path) -> None:
    (folder / "deep" / "loop").symlink_to(folder)
    (folder / "broken").symlink_to(folder / "nowhere")
    assert titles(folder) == ["From RIS", "From CSV"]
    assert reasons(folder) == ["This is a link to nowhere, so it was not read."]


def test_what_is_not_there_is_one_failure_and_the_rest_is_read(folder: Path) -> None:
    assert reasons(folder / "none.ris", folder) == ["There is no such file or folder."]
    assert titles(folder / "none.ris", folder / "b.ris") == ["From RIS"]


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert reasons(tmp_path) == ["This is not a regular file, so it was not read."]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can read every file")
def test_an_unreadable_file_is_one_failure(folder: Path) -> None:
    (folder / "b.ris").chmod(0)
    (reason,) = reasons(folder)
    assert "Permission denied" in reason


@pytest.mark.parametrize("content", [b"", b" \n\r\n ", b"\xef\xbb\xbf", b"\0\0\0"])
def test_an_empty_file_is_a_failure_that_says_so(tmp_path: Path, content: bytes) -> None:
    assert reasons(write(tmp_path, "empty.ris", content)) == ["The file is empty."]


def test_an_archive_is_refused_kindly(tmp_path: Path) -> None:
    (reason,) = reasons(write(tmp_path, "papers.zip", b"PK\x03\x04" + bytes(100)))
    assert "unpack it" in reason


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    path = write(tmp_path, "odd.txt", "title\nTY  - a strange title\n")
    assert titles(path) == []
    assert titles(path, forced="csv") == ["TY - a strange title"]


def test_an_unknown_format_name_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="ris"):
        read([tmp_path], format="endnote")


def test_a_file_without_records_is_a_failure(tmp_path: Path) -> None:
    (reason,) = reasons(write(tmp_path, "x.xml", "<PubmedArticleSet></PubmedArticleSet>"))
    assert reason == "The file holds no PubMed XML records."


def test_the_source_is_the_name_of_the_file_without_its_folder(tmp_path: Path) -> None:
    (item,) = read([write(tmp_path, "paper.pdf", make_pdf([(20, "A title in large print")]))])
    assert isinstance(item, Document)
    assert item.meta.source == "paper.pdf"


def unknown_zip() -> bytes:
    """Make a ZIP archive that asks for version 9.1 of the format."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    # The version needed is the fourth field of the directory's entry.
    head, mark, entry = content.getvalue().partition(b"PK\x01\x02")
    return head + mark + entry[:2] + struct.pack("<H", 91) + entry[4:]


def abbreviated_filter() -> bytes:
    pdf = make_pdf([(20, "A title in large print")])
    return pdf.replace(b"<< /Length", b"<< /Filter /Fl /Length")


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("x.zip", unknown_zip(), "ZIP archive"),
        ("x.pdf", (HERE / "encrypted_password.pdf").read_bytes(), "password"),
    ],
)
def test_a_file_that_breaks_a_library_is_one_failure(
    folder: Path, name: str, content: bytes, why: str
) -> None:
    write(folder, name, content)
    (reason,) = reasons(folder)
    assert why in reason
    assert titles(folder) == ["From RIS", "From CSV"]


def test_an_encrypted_pdf_with_an_empty_password_is_read(folder: Path) -> None:
    shutil.copy(HERE / "encrypted_aes.pdf", folder / "paper.pdf")
    assert {"A title in large print", "From RIS"} <= set(titles(folder))


def test_a_pdf_with_an_abbreviated_filter_does_not_stop_the_others(folder: Path) -> None:
    write(folder, "x.pdf", abbreviated_filter())
    assert {"From RIS", "From CSV"} <= set(titles(folder))


@pytest.mark.parametrize("error", [ZeroDivisionError("division"), MemoryError(), KeyError("a\nb")])
def test_whatever_a_reader_raises_is_a_failure_of_its_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def broken(_path: Path) -> Iterator[Document]:
        yield Document("x", "Before")
        raise error

    ris = replace(FORMATS["ris"], read=broken)
    known = {"ris": ris, "csv": FORMATS["csv"]}
    monkeypatch.setattr(importlib.import_module("claimscope.ingest.detect"), "FORMATS", known)
    assert titles(folder) == ["Before", "From CSV"]
    (reason,) = reasons(folder)
    assert type(error).__name__ in reason
    assert "\n" not in reason


def test_what_the_caller_raises_is_not_taken_for_a_bad_file(folder: Path) -> None:
    def stop(_path: Path, _format: Format) -> None:
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        list(read([folder], on_file=stop))


def test_a_name_that_is_too_long_is_one_failure(folder: Path) -> None:
    assert reasons("x" * 5_000, folder) == ["There is no such file or folder."]


def test_folders_in_folders_without_end_are_read(tmp_path: Path) -> None:
    write(tmp_path, "z.ris", RIS)
    deep = tmp_path
    for _ in range(1_200):
        deep /= "d"
        deep.mkdir()
    try:
        assert titles(tmp_path) == ["From RIS"]
    finally:
        os.removedirs(deep)  # removing a tree is recursive, and this one is too deep for it


def test_one_language_has_one_code_whatever_the_format(tmp_path: Path) -> None:
    write(tmp_path, "a.ris", "TY  - JOUR\nTI  - A\nLA  - English\nER  - \n")
    write(tmp_path, "b.nbib", "PMID- 1\nTI  - B\nLA  - eng\n")
    write(tmp_path, "c.csv", "title,language\nC,en-GB\n")
    found = [item.meta.language for item in read([tmp_path]) if isinstance(item, Document)]
    assert found == ["en"] * 3
