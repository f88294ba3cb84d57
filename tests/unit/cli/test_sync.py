"""`claimscope library sync zotero` and `library notes`, as a user runs them."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from claimscope.checker import Checker
from claimscope.ingest import read
from claimscope.library.local import LocalLibrary
from claimscope.service.jobs import recheck
from claimscope.service.jobs.database import Database
from claimscope.service.jobs.saved import Verdicts
from claimscope.types import Document
from tests.qdrant import free_port
from tests.unit.sources.zotero_server import Zotero, running

from .conftest import Run

CLAIM = "Aspirin lowers the risk of stroke"
TEXT = "In this randomised trial aspirin lowered the risk of stroke in older adults."
TITLE = "Aspirin and the risk of stroke in older adults"


def test_verdicts_follow_zotero_and_go_back_to_it(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with running(Zotero()) as zotero:
        zotero.add("STROKE", TITLE, abstractNote=TEXT, DOI="10.1000/aspirin")
        zotero.add("TEA", "Tea and the common cold in adults")
        words = ("library", "sync", "zotero", "--url", zotero.address, "-l", folder)
        assert "Zotero: 2 added, 0 updated" in run(*words).out
        empty = run("library", "notes", tmp_path / "empty.ris", "-l", folder)
        assert (empty.code, (tmp_path / "empty.ris").exists()) == (2, False)
        assert "No saved verdict rests on a paper" in empty.err
        with LocalLibrary(folder) as library, closing(Database(folder)) as database:
            recheck.keep(Verdicts(database), Checker(library).check(CLAIM))

        for name in ("notes.ris", "notes.json"):
            assert "1 note on 1 paper" in run("library", "notes", tmp_path / name, "-l", folder).err
            [paper] = read([tmp_path / name])
            assert isinstance(paper, Document)
            assert paper.meta.doi == "10.1000/aspirin"
            written = (tmp_path / name).read_text("utf-8")
            assert f"Supports the claim: “{CLAIM}” (verdict: Supported). “{TEXT}”" in written

        del zotero.items["STROKE"]
        result = run(*words)
        assert "1 removed" in result.out
        assert f"SUPPORTED → NOT_ENOUGH_INFO  “{CLAIM}”" in result.out
        assert json.loads(run(*words, "--json").out)["removed"] == 0


def test_a_sync_that_cannot_begin_leaves_no_library(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    url = f"http://127.0.0.1:{free_port()}"
    result = run("library", "sync", "zotero", "--url", url, "-l", folder)
    assert result.code == 2
    assert "start Zotero" in result.err
    assert not folder.exists()
    assert "choose one of: zotero" in run("library", "sync", "mendeley", "-l", folder).err
    assert run("library", "notes", tmp_path / "notes.txt", "-l", folder).code == 2
