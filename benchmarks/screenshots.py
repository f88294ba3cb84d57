"""Takes the pictures of docs/service.md: the page in Chromium, over the demonstration library.

    python benchmarks/screenshots.py

The service is the real one with its default preset, on a library of its own in a temporary folder.
One paper is added last, so that the history has something to tell.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright

from claimscope.service.client import Client

FOLDER = Path(__file__).parents[1] / "docs" / "images"
LARGEST = 120_000
"""Bytes of a picture."""
WIDTH, HEIGHT = 920, 940
PHONE = (390, 844)
PATIENCE = 600_000
"""Milliseconds that a page may take on a computer with other work."""
LAST = "demo-zwally-antarctica-2015"
ASPIRIN = "Aspirin lowers the risk of heart attack."
CAROTENE = "Beta-carotene supplements prevent lung cancer."
ANTARCTICA = "Antarctica is losing ice overall."
VACCINE = "The MMR vaccine causes autism."
FOLIC_ACID = "Folic acid before pregnancy prevents neural tube defects."
COMPOUND = "Aspirin lowers the risk of heart attack, and the MMR vaccine causes autism."
TEXT = (
    f"Which pills are worth taking? {FOLIC_ACID} {CAROTENE} "
    f"I take fish oil myself. {ASPIRIN} {VACCINE}"
)


def main() -> None:
    """Take every picture and print its size."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _served(Path(folder)) as address,
        sync_playwright() as tool,
    ):
        found = shutil.which("chromium") or shutil.which("google-chrome")
        browser = tool.chromium.launch(executable_path=found, args=["--no-sandbox"])
        context = browser.new_context(base_url=address, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        _fill(page, Client(address))
        _take_all(page)
        browser.close()


def _fill(page: Any, client: Client) -> None:
    """Import the papers, save claims, and import the last paper."""
    records = (
        files("claimscope.library.demo").joinpath("records.jsonl").read_text("utf-8").splitlines()
    )
    late = [line for line in records if json.loads(line)["id"] == LAST]
    _import(page, client, "library.jsonl", [line for line in records if line not in late])
    for claim in (FOLIC_ACID, VACCINE, ANTARCTICA):
        page.request.post("/api/v1/verdicts", data={"claim": claim})
    _import(page, client, "new.jsonl", late)


def _import(page: Any, client: Client, name: str, lines: list[str]) -> None:
    content = {"name": name, "mimeType": "application/json", "buffer": "\n".join(lines).encode()}
    job = page.request.post("/api/v1/imports", multipart={"files": content}).json()
    if client.wait(job["id"], seconds=300).state != "done":
        raise SystemExit(f"{name} was not imported")
    while any(
        each["state"] in {"queued", "running"}
        for each in page.request.get("/api/v1/jobs").json()["jobs"]
    ):
        # Saved claims are checked again after an import.
        time.sleep(0.5)


def _take_all(page: Any) -> None:
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    _check(page, ANTARCTICA)
    # The heading gives its place to the first sentence that is quoted.
    page.evaluate("window.scrollTo(0, 90)")
    _take(page, "page-light")
    page.goto("/history")
    _take(page, "page-history")
    page.goto("/library?q=vitamin")
    _take(page, "page-library")
    page.goto("/text")
    page.fill("#text", TEXT)
    page.click("text=Check the text")
    page.wait_for_selector("#result[aria-busy=false]")
    page.evaluate("window.scrollTo(0, document.getElementById('result').offsetTop - 76)")
    _take(page, "page-text")
    _check(page, COMPOUND)
    _take(page, "page-parts")
    page.emulate_media(color_scheme="dark")
    _check(page, VACCINE)
    _take(page, "page-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    _check(page, FOLIC_ACID)
    _take(page, "page-phone")


def _check(page: Any, claim: str) -> None:
    page.goto(f"/?claim={quote(claim)}")
    page.wait_for_selector(".verdict")


def _take(page: Any, name: str) -> None:
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    size = path.stat().st_size
    print(f"{name:14} {size / 1000:5.0f} kB")
    if size > LARGEST:
        raise SystemExit(f"{path.name} is larger than {LARGEST / 1000:.0f} kB; show less in it")


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    place = str(folder / "library")
    words = [sys.executable, "-m", "claimscope", "serve", "--library", place, "--port", "0"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            found = re.search(r"http://\S+", process.stdout.readline() if process.stdout else "")
            if found is None:
                raise SystemExit("the server did not start")
            yield found.group()
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
