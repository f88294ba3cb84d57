"""A compound claim in a real browser: its parts, on one page and in a text, wide and narrow."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.e2e.test_answer import WIDTHS, chromium, demo, page
from tests.e2e.test_page import _CHROMIUM, _CONTRAST

__all__ = ["chromium", "demo", "page"]
pytestmark = pytest.mark.skipif(_CHROMIUM is None, reason="Chromium is not installed")

COMPOUND = (
    "Simvastatin prolongs life in patients with coronary disease, "
    "and the MMR vaccine causes autism."
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_parts_are_legible_and_lead_to_their_papers(page: Any, width: str, scheme: str) -> None:
    page.set_viewport_size({"width": WIDTHS[width], "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"/?claim={COMPOUND}")
    assert page.locator(".verdict").first.locator(".headline").inner_text() == "Partly refuted"
    assert page.locator(".verdict .answer").first.inner_text() == "First supported, second refuted."
    for summary in page.locator("details:not(.menu) > summary").all():
        if summary.is_visible():
            summary.click()
    assert page.evaluate(_CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width]
    assert page.evaluate(_DUPLICATES) == []
    page.click(".verdict .parts li:nth-child(2) a")
    assert page.locator("#part-2 .headline").inner_text() == "Refuted"
    assert page.locator("#part-2 .card.against").is_visible()
    assert abs(page.locator("#part-2").evaluate("part => part.getBoundingClientRect().top")) < 200


def test_a_part_can_be_checked_alone(page: Any) -> None:
    page.goto("/")
    page.fill("#claim", COMPOUND)
    page.keyboard.press("Enter")
    page.wait_for_selector("#part-2")
    page.click("#part-1 >> text=Check this part alone")
    assert (
        page.locator("#claim").input_value()
        == "Simvastatin prolongs life in patients with coronary disease."
    )
    assert page.locator(".verdict .headline").inner_text() == "Supported"
    assert page.locator(".part").count() == 0


def test_a_text_shows_the_parts_of_its_claims(page: Any) -> None:
    page.goto("/text")
    page.fill("textarea[name=text]", f"Vitamin D prevents falls. {COMPOUND}")
    page.click("#check-text button.main, #check-text button")
    page.wait_for_selector("#claim-2 .parts li")
    parts = page.locator("#claim-2 .parts li")
    assert parts.count() == 2
    assert "Supported" in parts.nth(0).inner_text()
    assert "Refuted" in parts.nth(1).inner_text()
    assert page.locator("#claim-1 .parts").count() == 0
    with page.expect_download() as download:
        page.click("text=Download as JSON")
    found = json.loads(download.value.path().read_text("utf-8"))
    assert [len(result.get("parts", ())) for result in found["results"]] == [0, 2]
    assert [sentence["is_claim"] for sentence in found["sentences"]] == [True, True]
    assert page.locator("#claim-2").is_visible(), "the results stay"


_DUPLICATES = """[...document.querySelectorAll('[id]')].map((each) => each.id)
  .filter((id, place, all) => id !== 'hatch' && all.indexOf(id) !== place)"""
