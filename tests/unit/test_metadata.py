"""Every field of the metadata is known to everything that stores, shows, reads or describes it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from claimscope.case_json import from_json, to_dict, to_json
from claimscope.cli.render import console, show_case
from claimscope.ingest import read
from claimscope.labels import Label
from claimscope.library.composition import merge
from claimscope.library.local import LocalLibrary
from claimscope.library.record import decode, encode
from claimscope.library.writers.json_lines import to_json_line
from claimscope.library.writers.ris import to_ris
from claimscope.metadata import FIELDS, STUDY, Place, details, facts
from claimscope.render.case_view import show
from claimscope.render.exports import to_csv, to_html, to_markdown
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Document,
    Metadata,
    RationaleSentence,
    Rule,
    Score,
    Verdict,
)

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "json.md"
META = Metadata(
    year=1999,
    venue="J Tea",
    study_type="randomised trial",
    sample_size=1204,
    population="adults with colds",
)
TEA = Document("tea", "Tea and colds", "Tea cured colds.", ((0, 16),), META)
SHOWN = ("J Tea", "1999", "randomised trial", "n = 1,204", "adults with colds")


@pytest.fixture
def case() -> Case:
    rule = Rule("any-evidence", "SUPPORTED: one.", "Another.")
    return Case(
        Claim("Tea cures colds."),
        (Candidate(TEA, rationale=(RationaleSentence(0, Score(1.0)),)),),
        Verdict(Label.SUPPORTS, 0.9, ("tea",), (), rule),
    )


def test_every_field_has_its_label_and_its_place_in_the_reference() -> None:
    names = [field.name for field in fields(Metadata)]
    assert sorted(field.name for field in FIELDS) == sorted(names)
    written = REFERENCE.read_text("utf-8")
    assert [name for name in names if f"`{name}`" not in written] == []


def test_what_is_known_of_a_study_stands_beside_its_title(
    case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    assert facts(META) == SHOWN
    assert show(case).groups[0].cards[0].facts == SHOWN
    assert " · ".join(SHOWN) in to_html(case)
    assert ", ".join(SHOWN) in to_markdown(case)
    show_case(case, console(), 5)
    assert ", ".join(SHOWN) in " ".join(capsys.readouterr().out.split())


def test_what_is_known_of_a_study_is_exported(case: Case) -> None:
    [row] = csv.DictReader(io.StringIO(to_csv(case)))
    known = (row["study_type"], row["sample_size"], row["population"])
    assert known == ("randomised trial", "1204", "adults with colds")
    assert "N1  - Sample size: 1204\nN1  - Population: adults with colds\n" in to_ris(TEA)
    assert details(META, Place.STUDY) == {
        "Study type": "randomised trial",
        "Sample size": "1204",
        "Population": "adults with colds",
    }


def test_what_is_known_of_a_study_is_kept(case: Case, tmp_path: Path) -> None:
    assert from_json(to_json(case)).candidates[0].document.meta == META
    assert decode(encode(TEA)) == TEA
    assert merge([Document("tea", "Tea and colds"), TEA]).meta == META
    with LocalLibrary(tmp_path / "library", create=True) as library:
        library.add([TEA])
        assert library.get(["tea"]) == [TEA]


def test_the_service_describes_every_field(case: Case) -> None:
    schemas = pytest.importorskip("claimscope.service.schemas")
    described = schemas.CaseModel.model_json_schema(mode="serialization")["$defs"]["Metadata"]
    assert list(described["properties"]) == described["required"]
    assert list(described["properties"]) == [field.name for field in fields(Metadata)]
    record = to_dict(case)
    answered = schemas.CaseModel.model_validate(record).model_dump(mode="json")
    assert answered["candidates"][0]["metadata"] == record["candidates"][0]["metadata"]


def _read(folder: Path, name: str, text: str) -> Metadata:
    path = folder / name
    path.write_text(text)
    [document] = read([path])
    assert isinstance(document, Document)
    return document.meta


def _study(meta: Metadata) -> list[Any]:
    return [getattr(meta, field.name) for field in STUDY]


@pytest.mark.parametrize("size", [1204, "1204", "1,204", "n = 1204", 1204.0])
def test_json_lines_say_what_is_known_of_a_study(tmp_path: Path, size: object) -> None:
    record = {"title": "Tea", "study_type": "trial", "sample_size": size, "population": "Adults"}
    meta = _read(tmp_path, "own.jsonl", json.dumps(record) + "\n")
    assert _study(meta) == ["trial", 1204, "Adults"]
    again = _read(tmp_path, "again.jsonl", to_json_line(Document("a", "Tea", meta=meta)))
    assert _study(again) == _study(meta)


@pytest.mark.parametrize(
    "header", ["Study design,Sample size (n),Population", "study_type,sample_size,population"]
)
def test_tables_say_what_is_known_of_a_study(tmp_path: Path, header: str) -> None:
    meta = _read(tmp_path, "t.csv", f'title,{header}\nTea,Trial,"1,204",Adults\n')
    assert _study(meta) == ["Trial", 1204, "Adults"]


@pytest.mark.parametrize("size", ["about 200", "1.204", "-5", "0", "many", "20 to 30"])
def test_a_number_that_cannot_be_told_is_left_out(tmp_path: Path, size: str) -> None:
    assert _read(tmp_path, "t.csv", f'title,sample size\nTea,"{size}"\n').sample_size is None
