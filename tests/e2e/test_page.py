"""The page in a real browser: streaming, uploads, batches over a restart, keyboard, dark, hostile.

Needs Chromium and the playwright package; skipped where either is missing.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import sync_playwright

from claimscope.service.settings import Settings
from tests.e2e.test_service import started
from tests.unit.service.running import ASPIRIN, Running, gated, make_library, running
from tests.unit.service.web.conftest import HOSTILE, SHREW
from tests.unit.service.web.judging import judged
from tests.unit.service.web.test_pages import RIS

_CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(_CHROMIUM is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = make_library(tmp_path_factory.mktemp("page") / "library", SHREW)
    with running(Settings(folder)) as service:
        judged(service.service, threshold=0.6)
        yield service


@pytest.fixture
def page(chromium: Any, served: Running) -> Iterator[Any]:
    """A page that may ask only its own server, and must have nothing to complain about."""
    context = chromium.new_context(base_url=served.address)
    opened = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("dialog", lambda dialog: complaints.append(f"dialog {dialog.message}"))
    yield opened
    context.close()
    assert [url for url in asked if not url.startswith(served.address)] == []
    assert complaints == []


def test_a_claim_streams_papers_before_the_verdict(page: Any, served: Running) -> None:
    page.goto("/")
    with gated(served.service) as gate:
        page.fill("#claim", ASPIRIN)
        page.click("text=Check >> nth=-1")
        page.wait_for_selector(".verdict.reading")
        assert page.locator("article.card").count() > 1
        assert page.locator("#result").get_attribute("aria-busy") == "true"
        assert page.locator("mark").count() == 0
        gate.opened.set()
        page.wait_for_selector(".verdict.dispute")
    assert page.locator("mark").count() > 1
    assert "Disputed" in page.locator("#progress").inner_text()
    assert page.url.endswith("?claim=Aspirin+lowers+the+risk+of+heart+attack.")
    page.reload()
    assert page.locator(".verdict.dispute").is_visible(), "the address shows the same again"
    page.go_back()
    page.wait_for_selector(".opening")
    assert page.locator(".verdict").count() == 0


def test_a_text_streams_its_sentences_and_then_each_verdict(page: Any, served: Running) -> None:
    page.goto("/text")
    with gated(served.service) as gate:
        page.fill("#text", f"Does it help? {ASPIRIN} Statins lowered cholesterol.")
        page.click("text=Check the text")
        page.wait_for_selector(".found.reading")
        assert page.locator("#claim-2").inner_text().endswith("Waiting…")
        assert page.locator(".read .left").inner_text() == "Does it help?"
        assert page.locator("#result").get_attribute("aria-busy") == "true"
        gate.opened.set()
        page.wait_for_selector("#claim-2 .said.for")
    assert page.locator("#claim-1 .said").inner_text().endswith("Disputed")
    assert page.locator("a.found.dispute").count() == 1
    page.wait_for_selector("#result[aria-busy=false]")
    assert page.locator(".pending").count() == 0
    page.click("a.found.dispute")
    page.click("#claim-1 >> text=See the evidence")
    page.wait_for_selector(".verdict.dispute")
    page.go_back()
    page.wait_for_selector("#claim-1 .said.dispute")
    assert page.input_value("#text").startswith("Does it help?")


def test_without_scripts_the_main_job_is_done(chromium: Any, served: Running) -> None:
    context = chromium.new_context(base_url=served.address, java_script_enabled=False)
    plain = context.new_page()
    plain.goto("/")
    plain.fill("#claim", ASPIRIN)
    plain.click("button:has-text('Check')")
    assert plain.locator(".headline").inner_text() == "Disputed"
    rest = plain.locator("details.rest").first
    assert not rest.locator("p").is_visible()
    rest.locator("summary").click()
    assert rest.locator("p").is_visible()
    plain.goto("/text")
    plain.fill("#text", f"Does it help? {ASPIRIN}")
    plain.click("text=Check the text")
    assert plain.locator("#claim-1 .said").inner_text().endswith("Disputed")
    context.close()


def test_the_keyboard_is_enough(page: Any) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "claim"
    page.keyboard.type("Statins lowered cholesterol.")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tools")
    reached: set[str] = set()
    while page.keyboard.press("Tab") or page.evaluate("document.activeElement !== document.body"):
        words = page.evaluate("document.activeElement.textContent.trim()")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", f"the focus is not seen on {words!r}"
        reached.add(words)
    assert {"Check", "Save this claim", "Download"} <= reached
    page.locator("summary:has-text('Download')").focus()
    page.keyboard.press("Enter")
    assert page.locator(".menu li").first.is_visible()


def test_hostile_titles_stay_text(page: Any) -> None:
    page.goto("/")
    page.fill("#claim", f"Shrews hunt worms {HOSTILE}")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tools")
    assert "<script>" in page.locator("article.card").first.inner_text()
    assert page.locator("main script, main img").count() == 0
    page.goto("/library?q=shrews")
    page.click(".papers a")
    assert "<script>" in page.locator("h1").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(page: Any, scheme: str) -> None:
    """WCAG 2.1, 1.4.3: 4.5 to 1 for text, measured against the nearest ground behind it."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for path in (f"/?claim={ASPIRIN}", "/library", "/batch", "/history", "/text"):
        page.goto(path)
        assert page.evaluate(_CONTRAST) == [], path


def test_light_and_dark_differ(page: Any) -> None:
    page.goto("/")
    grounds = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_a_print_has_the_whole_abstracts_and_no_controls(page: Any) -> None:
    page.goto(f"/?claim={ASPIRIN}")
    page.emulate_media(media="print")
    assert not page.locator("#check").is_visible()
    assert page.locator(".tools:visible").count() == 0
    assert page.locator("#result .claim-words").is_visible()
    assert page.locator("details.rest p").first.is_visible()


def test_nothing_is_wider_than_a_phone(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("/", f"/?claim={ASPIRIN}", "/library", "/batch", "/history", "/text"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_every_field_has_a_name(page: Any) -> None:
    for path in ("/", f"/?claim={ASPIRIN}", "/library", "/batch", "/text"):
        page.goto(path)
        unnamed = page.evaluate(
            "[...document.querySelectorAll('input:not([type=hidden]), textarea, select')]"
            ".filter(field => field.labels.length === 0 && !field.ariaLabel).length"
        )
        assert unnamed == 0, path
        assert page.locator("h1").count() == 1, path


def test_a_dropped_file_is_imported_and_a_saved_claim_changes(page: Any) -> None:
    claim = "Walking lowered the risk of heart attack."
    page.goto("/")
    page.fill("#claim", claim)
    page.keyboard.press("Enter")
    page.click("text=Save this claim")
    page.wait_for_selector("text=Saved claim")
    page.goto("/library")
    page.evaluate(
        """text => {
            const files = new DataTransfer();
            files.items.add(new File([text], "walking.ris"));
            const drop = new DragEvent("drop", {dataTransfer: files, bubbles: true});
            document.getElementById("upload").dispatchEvent(drop);
        }""",
        RIS,
    )
    page.wait_for_selector(".job.done", timeout=20_000)
    assert "1 added" in page.locator(".job").inner_text()
    deadline = time.monotonic() + 20
    while "Walking and heart attack" not in page.content():
        assert time.monotonic() < deadline
        page.goto("/history")
    assert page.locator("ul.because").first.is_visible()


def test_a_batch_goes_on_after_a_restart_and_is_cancelled(chromium: Any, tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    claims = "\n".join(f"Aspirin lowers the risk of heart attack in {n} men." for n in range(6000))
    context = chromium.new_context()
    page = context.new_page()
    with started(folder) as first:
        page.goto(first.client._root.removesuffix("/api/v1") + "/batch")
        page.set_input_files("#file", {"name": "a.txt", "mimeType": "", "buffer": claims.encode()})
        page.click("text=Check the claims")
        page.wait_for_selector(".job.running")
        path = page.url.partition("//")[2].partition("/")[2]
        first.process.kill()
        first.process.wait()
    with started(folder) as second:
        page.goto(f"{second.client._root.removesuffix('/api/v1')}/{path}")
        before = _checked(page)
        page.wait_for_function(
            "before => Number(document.querySelector('.state span').textContent"
            ".replace(/,/g, '').split(' ')[0]) > before",
            arg=before,
        )
        page.click("text=Cancel")
        page.wait_for_selector(".job.cancelled")
        assert before < _checked(page) < 6000
        with page.expect_download() as download:
            page.click("text=Results as CSV")
        assert "line,id,claim,verdict" in download.value.path().read_text().splitlines()[0]
    context.close()


def _checked(page: Any) -> int:
    found = re.match(r"[\d,]+", page.locator(".state span").inner_text())
    assert found
    return int(found[0].replace(",", ""))


_CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [r, g, b] = rgba(colour).map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (rgba(colour)[3] > 200) return colour;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  const wrong = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.checkVisibility()) continue;
    const isDrawn = element instanceof SVGElement;
    const style = getComputedStyle(element);
    const [a, b] = [light(isDrawn ? style.fill : style.color), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong.push(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
  }
  return wrong;
}"""
