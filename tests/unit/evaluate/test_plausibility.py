"""The page holds every claim, what was found for it, and a mark for each abstract."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from claimscope.errors import InputError
from claimscope.evaluate.plausibility import write_plausibility

from .conftest import MakeRun
from .small import CLAIMS, MAJORITY, SEARCH


def test_every_abstract_can_be_marked(make_run: MakeRun, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    marked = write_plausibility(page, make_run(MAJORITY, split="test"))
    text = page.read_text("utf-8")
    assert all(each.claim.text in text for each in CLAIMS)
    assert text.count("<fieldset") == marked > 0
    names = re.findall(r'type="radio" name="([^"]+)"', text)
    assert len(names) == 2 * marked
    assert len(set(names)) == marked, "each abstract has two marks of its own"
    chosen = re.findall("<mark>(.*?)</mark>", text)
    assert "We gave aspirin to adults." in chosen
    assert "Bleeding rose." not in chosen
    assert "Bleeding rose." in text


def test_a_search_has_nothing_to_mark(make_run: MakeRun, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no stage that judges"):
        write_plausibility(tmp_path / "page.html", make_run(SEARCH, name="search"))
    assert not (tmp_path / "page.html").exists()
