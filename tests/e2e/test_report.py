"""The report in a real browser: it filters, asks the network for nothing, and runs no foreign text.

Needs Chromium and the playwright package; skipped where either is missing.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from claimscope.datasets.files import document_of
from claimscope.datasets.record import Dataset, Definition, LabelledClaim
from claimscope.evaluate.experiment import Experiment, run
from claimscope.evaluate.material import gather
from claimscope.evaluate.report import write_report
from claimscope.evaluate.scoring import score
from claimscope.pipeline import preset
from claimscope.types import Claim
from tests.unit.evaluate.small import CARD, CLAIMS, DOCUMENTS, MAJORITY

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
_CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(_CHROMIUM is None, reason="Chromium is not installed")

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"


def _hostile_dataset() -> Dataset:
    """The small data set with markup in a title, in a sentence and in a claim."""

    def documents(folder: Path) -> Iterator[Any]:
        for name, (title, sentences) in DOCUMENTS.items():
            yield document_of(name, f"{title} {HOSTILE}", [f"{HOSTILE} {sentences[0]}"])

    def claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
        for each in CLAIMS:
            yield replace(each, claim=Claim(f"{each.claim.text} {HOSTILE}", each.claim.id))

    return Dataset(Definition(replace(CARD, name="hostile"), claims, documents), Path())


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("report")
    name = f"{HOSTILE.replace('/', '')}"
    experiment = Experiment(_hostile_dataset(), "dev", preset.parse(MAJORITY, name, "test"))
    made = run(experiment, folder / "run", cache=folder)
    write_report(folder / "report.html", [(made, score(gather(made), samples=50))])
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        opened = browser.new_page()
        opened.asked = []
        opened.complained = []
        opened.on("request", lambda request: opened.asked.append(request.url))
        opened.on("console", lambda message: opened.complained.append(message.text))
        opened.goto((folder / "report.html").as_uri())
        yield opened
        browser.close()


def _shown(page: Any) -> int:
    return int(page.locator("details.claim:visible").count())


def test_nothing_leaves_the_page(page: Any) -> None:
    assert [url for url in page.asked if not url.startswith("file:")] == []
    assert len(page.asked) == 1
    assert page.complained == [], "the content policy fits the page's own script and style"


def test_hostile_text_stays_text(page: Any) -> None:
    assert "owned" not in page.title().replace("document.title='owned'", "")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    page.locator("details.claim summary").first.click()
    assert "<script>" in page.locator("details.claim[open] h4").first.inner_text()


def test_claims_are_filtered(page: Any) -> None:
    assert _shown(page) == 5
    page.fill("#words", "aspirin")
    assert _shown(page) == 1
    assert page.locator("#count").inner_text() == "1 of 5 claims"
    page.fill("#words", "")
    page.select_option("#cause", "wrong-label")
    assert _shown(page) == 1
    page.select_option("#cause", "")
    page.select_option("#verdict", "right")
    assert _shown(page) == 1
    page.select_option("#verdict", "")
    page.check("#lost")
    assert _shown(page) == 5
    page.uncheck("#lost")


def test_all_shown_claims_open_at_once(page: Any) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = false; })")
    page.click("#open")
    assert page.locator("details.claim[open]").count() == 5
    page.click("#open")
    assert page.locator("details.claim[open]").count() == 0


def test_both_schemes_have_their_colours(page: Any) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="light")
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) != light
