import re
from pathlib import Path

import pytest

from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.material import gather
from claimscope.evaluate.modes import Mode
from claimscope.evaluate.report import write_report
from claimscope.evaluate.scoring import score

from .conftest import MakeRun
from .small import PERFECT, SEARCH


def _page(path: Path, *folders: RunFolder) -> str:
    write_report(path, [(folder, score(gather(folder), samples=20)) for folder in folders])
    return path.read_text("utf-8")


def test_the_page_holds_scores_pictures_and_reasons(majority: RunFolder, tmp_path: Path) -> None:
    page = _page(tmp_path / "report.html", majority)
    for heading in (
        "Scores",
        "Where points are lost",
        "Search",
        "Confidence",
        "Verdicts on claims",
    ):
        assert f"<h2>{heading}" in page
    assert page.count('<details class="claim"') == 5
    assert "dropped at rank 2 by rerank.cut, which kept 1" in page
    assert '<mark class="hit">' in page
    assert '<mark class="missed">' in page


def test_nothing_is_fetched_from_anywhere(majority: RunFolder, tmp_path: Path) -> None:
    page = _page(tmp_path / "report.html", majority)
    assert not re.search(r"(?:src|href)=[\"'](?!#)", page)
    assert "@import" not in page
    assert "url(" not in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_several_runs_stand_side_by_side(
    majority: RunFolder, make_run: MakeRun, tmp_path: Path
) -> None:
    page = _page(tmp_path / "report.html", majority, make_run(PERFECT, name="perfect"))
    assert "<h3>majority against perfect</h3>" in page
    assert page.count('<details class="claim"') == 5, "claims are shown for the first run"


@pytest.mark.parametrize(
    ("text", "mode", "split"),
    [
        (SEARCH, Mode.OPEN, "dev"),
        (PERFECT, Mode.RETRIEVAL, "dev"),
        (PERFECT, Mode.ORACLE_ABSTRACTS, "dev"),
        (PERFECT, Mode.OPEN, "test"),
    ],
)
def test_runs_that_lack_parts_have_a_report_without_them(
    make_run: MakeRun, tmp_path: Path, text: str, mode: Mode, split: str
) -> None:
    folder = make_run(text, mode, split)
    page = _page(tmp_path / "report.html", folder)
    assert page.rstrip().endswith("</html>")
    assert all(note in page for note in gather(folder).notes)
