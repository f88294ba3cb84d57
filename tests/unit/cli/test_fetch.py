"""`claimscope library fetch`, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.sources.databases_server import Databases, running

from .conftest import Run


def test_papers_come_from_the_addresses_of_the_settings(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "library"
    with running(Databases()) as databases:
        databases.articles["12"] = {"title": "A study of tea", "abstract": "Tea helped."}
        monkeypatch.setenv("CLAIMSCOPE_PUBMED", databases.address)
        monkeypatch.setenv("CLAIMSCOPE_CROSSREF", databases.address)
        monkeypatch.setenv("CLAIMSCOPE_EMAIL", "me@example.org")
        first = run("library", "fetch", "pmid:12", "pmid:13", "-l", folder)
        assert "1 added, 0 updated, 0 unchanged, 1 not found" in first.out
        assert "pmid:13 was not found." in first.err
        assert databases.asked[0][2]["email"] == "me@example.org"
        again = json.loads(run("library", "fetch", "pmid:12", "-l", folder, "--json").out)
        assert (again["unchanged"], again["missing"], again["verdicts"]) == (1, [], [])
