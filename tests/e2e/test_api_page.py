"""The documentation page of the REST API in a real browser, wide and narrow, light and dark."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.e2e.test_answer import WIDTHS, chromium, demo, page
from tests.e2e.test_page import _CHROMIUM, _CONTRAST

__all__ = ["chromium", "demo", "page"]
pytestmark = pytest.mark.skipif(_CHROMIUM is None, reason="Chromium is not installed")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_legible_and_no_wider_than_the_window(page: Any, width: str, scheme: str) -> None:
    page.set_viewport_size({"width": WIDTHS[width], "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto("/docs")
    assert page.evaluate(_CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width]
    page.click("nav.api >> text=objects")
    assert page.locator("#object-CaseModel").is_visible()


def test_every_link_within_the_page_has_its_place(page: Any) -> None:
    page.goto("/docs")
    assert page.evaluate(_LOOSE) == []


_LOOSE = """[...document.querySelectorAll('main a[href^="#"]')]
  .map((link) => link.getAttribute('href').slice(1)).filter((id) => !document.getElementById(id))"""
