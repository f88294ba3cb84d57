"""`claimscope library retractions`: what it prints, and which saved verdicts change."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from claimscope.checker import Checker
from claimscope.labels import Label
from claimscope.library.local import LocalLibrary
from claimscope.service.jobs import recheck
from claimscope.service.jobs.database import Database
from claimscope.service.jobs.saved import Verdicts
from claimscope.types import Document, Metadata
from tests.unit.sources.test_retractions import HEADER, row

from .conftest import Run

CLAIM = "Aspirin lowers the risk of stroke"
TITLE = "Aspirin and the risk of stroke in older adults"
TEXT = "In this randomised trial aspirin lowered the risk of stroke in older adults."
PAPER = Document("aspirin", TITLE, TEXT, ((0, len(TEXT)),), Metadata(doi="10.1000/aspirin"))


def test_saved_verdicts_that_change_are_listed(run: Run, tmp_path: Path) -> None:
    folder, table = tmp_path / "library", tmp_path / "retraction_watch.csv"
    table.write_text(
        HEADER + row(1, TITLE, "Retraction", "5/4/2021", "10.1000/aspirin", why="+Fake Data;")
    )
    with LocalLibrary(folder, create=True) as library:
        library.add([PAPER])
        case = Checker(library).check(CLAIM)
        assert case.verdict is not None
        assert case.verdict.label is Label.SUPPORTS
        with closing(Database(folder)) as database:
            recheck.keep(Verdicts(database), case)

    marked = run("library", "retractions", table, "--library", folder)
    assert marked.code == 0
    assert "newest notice 2021-05-04" in marked.out
    assert "SHA-256 " in marked.out
    assert "aspirin  " + TITLE + ": Retraction, 2021-05-04: Fake Data" in marked.out
    assert f"SUPPORTED → NOT_ENOUGH_INFO  “{CLAIM}”" in marked.out
    assert "1 saved claim checked again, 1 changed." in marked.out

    again = run("library", "retractions", table, "--library", folder, "--json")
    report = json.loads(again.out)
    assert report["verdicts"] == []
    assert [paper["changed"] for paper in report["papers"]] == [False]
    assert "Retraction, 2021-05-04" in run("library", "show", "aspirin", "-l", folder).out


def test_a_notice_for_another_title_is_told_and_not_used(run: Run, tmp_path: Path) -> None:
    folder, table = tmp_path / "library", tmp_path / "retraction_watch.csv"
    other = "Whales of the southern ocean and their songs"
    table.write_text(HEADER + row(1, other, "Retraction", "5/4/2021", "10.1000/aspirin"))
    with LocalLibrary(folder, create=True) as library:
        library.add([PAPER])
    marked = run("library", "retractions", table, "--library", folder)
    assert marked.code == 0
    assert f"aspirin: the notice is about “{other}”, but the paper is “{TITLE}”" in marked.err
    assert "0 papers have notices" in marked.out
    again = run("library", "retractions", table, "--library", folder, "--json")
    assert len(json.loads(again.out)["not_used"]) == 1
