"""The answer in words and the table of studies in a real browser, wide and narrow, light and dark.

Needs Chromium and the playwright package; skipped where either is missing.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from claimscope.library.location import DEMO
from claimscope.service.settings import Settings
from tests.e2e.test_page import _CHROMIUM, _CONTRAST, chromium
from tests.unit.service.running import Running, gated, running, until

__all__ = ["chromium"]
pytestmark = pytest.mark.skipif(_CHROMIUM is None, reason="Chromium is not installed")

DISPUTED = "/?claim=Omega-3 fatty acids lower the risk of heart attack."
WEAK = "/?claim=Coal is cheaper than renewables."
MANY = "/?claim=Vitamin D prevents falls."
WIDTHS = {"desktop": 1100, "phone": 360}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    # The built-in library lies in the user's cache, where another service may run its jobs.
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        with running(Settings(DEMO)) as service:
            yield service


@pytest.fixture
def page(chromium: Any, demo: Running) -> Iterator[Any]:
    context = chromium.new_context(base_url=demo.address, reduced_motion="reduce")
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_part_is_legible_everywhere(page: Any, width: str, scheme: str) -> None:
    page.set_viewport_size({"width": WIDTHS[width], "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for path in ("/", DISPUTED, WEAK, MANY):
        page.goto(path)
        for summary in page.locator("details:not(.menu) > summary").all():
            if summary.is_visible():
                summary.click()
        assert page.evaluate(_CONTRAST) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width], path


def test_a_dispute_stands_in_two_columns_without_one_confidence(page: Any) -> None:
    for width in WIDTHS.values():
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(DISPUTED)
        cells = page.locator(".camps tr.differs").first.locator("td")
        left, right = (cells.nth(place).bounding_box() for place in (0, 1))
        assert left["x"] + left["width"] <= right["x"] + 1
        assert left["y"] == right["y"]
        assert left["width"] == pytest.approx(right["width"], abs=2)
        assert page.locator(".confidence").count() == 0
        assert "disagree: one supports this" in page.locator(".answer").inner_text()


def test_weak_evidence_looks_weak(page: Any) -> None:
    page.goto(WEAK)
    assert page.locator(".headline").inner_text() == "Leans towards refuted"
    assert page.locator(".verdict .word .sign").inner_text() == "◔"
    assert page.locator(".weakness").is_visible()
    colour = "element => getComputedStyle(element).color"
    weak = page.locator(".headline").evaluate(colour)
    page.goto("/?claim=Aspirin lowers the risk of heart attack.")
    assert page.locator(".headline").evaluate(colour) != weak
    assert not page.locator(".reason").is_visible(), "the arithmetic is folded"
    page.click("text=How this was decided")
    assert "1 supporting" in page.locator(".reason").inner_text()


def test_the_table_sorts_filters_and_downloads(page: Any) -> None:
    page.goto(MANY)
    page.click(".studies > summary")
    years = page.locator(".studies tbody td:nth-child(5)")
    page.click(".studies .sort >> text=Year")
    assert years.all_inner_texts() == sorted(years.all_inner_texts())
    page.click(".studies .sort >> text=Year")
    assert years.all_inner_texts() == sorted(years.all_inner_texts(), reverse=True)
    page.click(".studies .sort >> text=Sample size")
    sizes = page.locator(".studies tbody td:nth-child(6)").all_inner_texts()
    assert [int(text.split()[0].replace(",", "")) for text in sizes] == [3270, 5522, 25871]
    page.fill("[aria-label='Filter by year']", "1992")
    assert page.locator(".studies tbody tr:visible").count() == 1
    assert page.locator(".studies output").inner_text() == "1 of 3 shown"
    with page.expect_download() as download:
        page.click("text=Download as CSV")
    rows = list(csv.DictReader(download.value.path().read_text("utf-8").splitlines()))
    assert [row["sample_size_in_words"] for row in rows if row["year"] == "1992"] == [
        "3,270 ambulatory women"
    ]


def test_the_table_uses_a_wide_window(page: Any) -> None:
    page.set_viewport_size({"width": 1100, "height": 800})
    page.goto(MANY)
    page.click(".studies > summary")
    box = page.locator(".studies .scroll").bounding_box()
    assert box["width"] > 1000
    assert box["x"] == pytest.approx(1100 - box["x"] - box["width"], abs=8)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1100


def test_the_table_is_there_after_a_check_without_leaving_the_page(page: Any) -> None:
    page.goto("/")
    page.fill("#claim", "Vitamin D prevents falls.")
    page.keyboard.press("Enter")
    page.wait_for_selector(".studies")
    page.click(".studies > summary")
    page.fill("[aria-label='Filter by design']", "nothing like it")
    assert page.locator(".studies tbody tr:visible").count() == 0


def test_the_first_screen_says_what_it_does_and_offers_three_claims(page: Any) -> None:
    page.goto("/")
    examples = page.locator(".examples a")
    assert examples.count() == 3
    assert "BM25" not in page.locator("body").inner_text()
    assert page.locator(".lead").inner_text().count(".") == 1
    examples.nth(2).click()
    assert page.locator(".verdict.dispute").is_visible()


def test_the_closest_papers_are_open_where_there_is_no_answer(page: Any) -> None:
    page.goto(MANY)
    assert page.locator(".verdict.abstain").is_visible()
    assert "The closest papers" in page.locator(".group h2").inner_text()
    assert page.locator(".group .card:visible").count() == 3
    assert page.locator(".group .card .rest > p:visible").count() == 3


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tabs_fit_into_one_row(page: Any, width: str) -> None:
    page.set_viewport_size({"width": max(WIDTHS[width], 390), "height": 500})
    page.goto("/")
    tops = {tab.bounding_box()["y"] for tab in page.locator("header.site nav a").all()}
    assert len(tops) == 1


@pytest.mark.parametrize("width", WIDTHS)
def test_the_studies_table_shows_every_column_on_a_desktop(page: Any, width: str) -> None:
    page.set_viewport_size({"width": WIDTHS[width], "height": 500})
    page.goto(DISPUTED)
    page.click(".studies > summary")
    is_cut = page.locator(".studies .scroll").evaluate("box => box.scrollWidth > box.clientWidth")
    assert is_cut is (width == "phone")


def test_the_findings_of_an_audit_are_in_view(page: Any) -> None:
    page.set_viewport_size({"width": WIDTHS["desktop"], "height": 700})
    page.goto("/audit")
    page.fill("#text", "Vitamin E lowers cardiovascular events [@demo-hope-vitamin-e-2000].")
    page.click("button.main")
    heading = page.wait_for_selector("#result")
    # The browser scrolls to the heading some time after it is there.
    until(lambda: 0 <= heading.bounding_box()["y"] < 350)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_does_not_jump_when_the_verdict_arrives(
    page: Any, demo: Running, width: str
) -> None:
    place = "element => element.getBoundingClientRect().top"
    for is_scrolled in (False, True):
        page.set_viewport_size({"width": WIDTHS[width], "height": 500})
        page.goto("/")
        with gated(demo.service) as gate:
            page.fill("#claim", "Vitamin E prevents heart attacks.")
            page.keyboard.press("Enter")
            page.wait_for_selector(".verdict.reading")
            if is_scrolled:
                page.evaluate("document.querySelectorAll('.card')[1].scrollIntoView()")
            watched = ".verdict"
            if is_scrolled:
                watched = f"[data-paper='{page.evaluate(_FIRST_IN_VIEW)}']"
            before = page.locator(watched).evaluate(place)
            gate.opened.set()
            page.wait_for_selector(".verdict.for, .verdict.dispute, .verdict.against")
        assert page.locator(watched).evaluate(place) == pytest.approx(before, abs=2)


_FIRST_IN_VIEW = """[...document.querySelectorAll('[data-paper]')]
  .find((card) => card.getBoundingClientRect().bottom > 80).dataset.paper"""
