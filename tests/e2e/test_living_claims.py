"""Saved claims are checked again whoever changes the library: here the command line does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

import httpx

from tests.e2e.test_service import Started, started
from tests.unit.service.running import ASPIRIN, make_library, until

PAPER = """TY  - JOUR
TI  - Aspirin and heart attack in joggers
AB  - Aspirin lowered the risk of heart attack in joggers. Nothing else changed.
DO  - 10.1000/joggers
ER  -
"""
SECONDS = 30.0


def _rechecks(service: Started) -> list[dict[str, Any]]:
    jobs = httpx.get(f"{service.client._root}/jobs").json()["jobs"]
    return [job for job in jobs if job["kind"] == "recheck"]


def _papers(service: Started) -> set[str]:
    """Give the papers that the newest verdict on the saved claim looked at."""
    root = service.client._root
    newest = httpx.get(f"{root}/verdicts").json()["verdicts"][0]["number"]
    found = httpx.get(f"{root}/verdicts/{newest}").json()["result"]["candidates"]
    return {item["id"] for item in found}


def _save(service: Started) -> None:
    httpx.post(f"{service.client._root}/verdicts", json={"claim": ASPIRIN}).raise_for_status()


def _command(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "claimscope", "library", *words], check=True)


def _is_done(service: Started, count: int) -> bool:
    jobs = _rechecks(service)
    return len(jobs) == count and all(job["state"] == "done" for job in jobs)


def test_papers_added_and_removed_by_the_command_line_lead_to_a_recheck(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    file = tmp_path / "joggers.ris"
    file.write_text(PAPER)
    with started(folder) as service:
        _save(service)
        assert "doi:10.1000/joggers" not in _papers(service)
        _command("add", str(file), "--library", folder)
        until(lambda: _is_done(service, 1), SECONDS)
        assert "doi:10.1000/joggers" in _papers(service)
        # The same file again changes nothing, so there is nothing to check.
        _command("add", str(file), "--library", folder)
        _command("remove", "statins", "--library", folder)
        until(lambda: _is_done(service, 2), SECONDS)


def test_papers_added_while_no_service_ran_lead_to_a_recheck_at_its_start(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    file = tmp_path / "joggers.ris"
    file.write_text(PAPER)
    with started(folder) as service:
        _save(service)
    _command("add", str(file), "--library", folder)
    with started(folder) as service:
        until(lambda: _is_done(service, 1), SECONDS)
        assert "doi:10.1000/joggers" in _papers(service)
