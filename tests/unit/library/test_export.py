from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from claimscope.errors import InputError, UnknownNameError
from claimscope.ingest import jsonl, read, ris
from claimscope.library.export import export_to
from claimscope.library.local import LocalLibrary
from claimscope.library.writers.ris import to_ris
from claimscope.types import Document

from .papers import paper

PAPERS = [
    Document("b", "Vitamin D — “does it” help?", "No. It doesn’t 🙂.", ((0, 3), (4, 17))),
    paper("a", "", "Only a title", year=2001, retracted=True, authors=("Doe, J", "Roe, R")),
    paper(
        "pmid:7",
        "Aspirin helped.",
        "Aspirin trial",
        doi="10.1000/x",
        pmid="7",
        venue="The Journal",
        url="https://example.org/x",
        language="en",
        publication_types=("Clinical Trial", "Review"),
        study_type="trial",
        note="A caution.",
        source="x.ris",
    ),
]


def documents(items: object) -> list[Document]:
    found = list(items)  # type: ignore[call-overload]
    assert all(isinstance(item, Document) for item in found)
    return found


def test_json_lines_make_the_identical_library(opened: LocalLibrary, tmp_path: Path) -> None:
    opened.add(PAPERS)
    file = tmp_path / "out.jsonl"
    assert export_to(opened, str(file)) == 3
    with LocalLibrary(tmp_path / "again", create=True) as again:
        again.add(documents(jsonl.read(file)))
        assert again.revision == opened.revision
    assert [json.loads(line)["id"] for line in file.read_text("utf-8").splitlines()] == [
        "a",
        "b",
        "pmid:7",
    ]


def test_ris_keeps_what_ris_can_say(opened: LocalLibrary, tmp_path: Path) -> None:
    opened.add(PAPERS)
    export_to(opened, str(tmp_path / "out.ris"))
    found = {item.title: item for item in documents(ris.read(tmp_path / "out.ris"))}
    assert len(found) == 3
    for original in PAPERS:
        again = found[original.title]
        assert again.abstract == original.abstract
        for name in ("doi", "pmid", "year", "venue", "authors", "language", "retracted", "url"):
            assert getattr(again.meta, name) == getattr(original.meta, name)


def test_a_ris_record_is_plain_lines() -> None:
    record = to_ris(paper("x", "Line one.\nTY  - not a tag.", "T\r\nitle", note="Careful."))
    lines = record.splitlines()
    assert lines[0] == "TY  - JOUR"
    assert lines[-2:] == ["ER  - ", ""]
    assert "AB  - Line one. TY - not a tag." in lines
    assert "N1  - Claimscope id: x" in lines
    assert "N1  - Claimscope note: Careful." in lines


def test_unknown_formats_are_refused_with_the_known(opened: LocalLibrary) -> None:
    with pytest.raises(InputError, match=r"\.jsonl, \.ris, \.bib, \.json, \.csv, \.xml"):
        export_to(opened, "out.docx")
    with pytest.raises(UnknownNameError, match="jsonl, ris"):
        export_to(opened, "out.ris", "word")


@pytest.mark.parametrize("ending", ["jsonl", "ris", "bib", "json", "csv", "xml"])
def test_the_ending_chooses_a_format_that_can_be_added_again(
    opened: LocalLibrary, tmp_path: Path, ending: str
) -> None:
    opened.add(PAPERS)
    file = tmp_path / f"out.{ending}"
    assert export_to(opened, str(file)) == 3
    again = {item.id: item for item in documents(read([file]))}
    assert again == {
        item.id: replace(item, meta=replace(item.meta, source=file.name)) for item in PAPERS
    }


def test_a_failed_export_leaves_nothing(opened: LocalLibrary, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot write"):
        export_to(opened, str(tmp_path / "no" / "folder.ris"))
    assert list(tmp_path.glob("*.part")) == []


def test_standard_output(opened: LocalLibrary, capsys: pytest.CaptureFixture[str]) -> None:
    opened.add(PAPERS)
    assert export_to(opened, "-", "ris") == 3
    assert capsys.readouterr().out.count("ER  - ") == 3
