"""Takes two pictures of the docs: `claimscope check` in a terminal, and a report in Chromium.

    python benchmarks/pictures.py terminal
    python benchmarks/pictures.py report REPORT

REPORT is the file that `claimscope evaluate --report` wrote.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from claimscope import Checker, open_library
from claimscope.cli.render import show_case

FOLDER = Path(__file__).parents[1] / "docs" / "images"
CLAIM = "Dexamethasone lowers mortality in ventilated COVID-19 patients"
COLUMNS = 96
SHOWN = 5
"""As many abstracts as `claimscope check` shows."""
WIDTH, HEIGHT = 1100, 1000
THEME = TerminalTheme(
    background=(22, 27, 34),
    foreground=(230, 237, 243),
    normal=[
        (0, 0, 0),
        (207, 34, 46),
        (86, 211, 100),
        (227, 179, 65),
        (88, 166, 255),
        (188, 140, 255),
        (57, 197, 207),
        (255, 255, 255),
    ],
)
"""Rich's own themes show black on green with too little contrast."""


def terminal() -> Path:
    """Write what `claimscope check` prints on the demonstration library, as SVG."""
    with Path("/dev/null").open("w") as nowhere, open_library("demo") as library:
        console = Console(
            record=True, width=COLUMNS, file=nowhere, force_terminal=True, highlight=False
        )
        console.print(f'$ claimscope check "{CLAIM}"\n', style="dim")
        show_case(Checker(library).check(CLAIM), console, SHOWN)
    path = FOLDER / "terminal.svg"
    # Rich's own template loads a font from a public server; the docs load nothing from elsewhere.
    plain = re.sub(r"@font-face {{.*?}}", "", CONSOLE_SVG_FORMAT, flags=re.S)
    console.save_svg(
        str(path), title="claimscope", theme=THEME, code_format=plain, unique_id="terminal"
    )
    return path


def report(page_file: Path) -> Path:
    """Take the first screen of a report."""
    from playwright.sync_api import sync_playwright

    path = FOLDER / "report.png"
    with sync_playwright() as tool:
        found = shutil.which("chromium") or shutil.which("google-chrome")
        browser = tool.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(page_file.resolve().as_uri())
        page.screenshot(path=path)
        browser.close()
    return path


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["terminal"]:
            written = terminal()
        case ["report", name]:
            written = report(Path(name))
        case _:
            sys.exit(__doc__)
    print(f"{written.name}  {written.stat().st_size / 1000:.0f} kB")
