"""The commands of the pages work as they are written, for a new user with an empty home."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from claimscope.cli.app import app
from tests.test_docs import PAGES, ROOT

NOT_RUN = {
    "pytest": "this is one of its tests",
    "pip install": "tests run in an environment that is installed already",
    "claimscope data get": "it downloads",
    "claimscope data describe": "it needs what was downloaded",
    "claimscope evaluate": "it needs what was downloaded, and takes minutes",
    "claimscope data check": "it needs what was downloaded",
    "claimscope train": "it needs PyTorch and takes minutes to hours",
    "claimscope check --preset my-verifier": "it needs what was trained",
    "CLAIMSCOPE_MODELS=models claimscope check --preset scifchex-scibert": "as above",
    "claimscope serve": "it runs until it is stopped",
    "claimscope mcp": "as above",
    "claimscope library sync": "it needs a running Zotero",
    "claimscope library watch": "it runs until it is stopped",
    "claimscope library fetch": "it asks PubMed",
    "claimscope library retractions": "it needs a table of Retraction Watch",
    "export CLAIMSCOPE_LLM": "it needs a server with a language model",
    "CLAIMSCOPE_LLM": "as above",
    "claimscope check --preset llm": "as above",
    "claimscope check --preset second-opinion": "as above",
}
GIVEN = {
    "my-export.ris": "TY  - JOUR\nTI  - Vitamin D and colds\nAB  - Vitamin D prevented colds.\n"
    "DO  - 10.1000/example\nER  - \n",
    "references.bib": "@article{a, title={Zinc and colds}, abstract={Zinc shortened colds.}}\n",
    "pubmed-result.nbib": "PMID- 123\nTI  - Tea and iron\nAB  - Tea lowered iron.\n",
    "papers/more.ris": "TY  - JOUR\nTI  - Masks\nAB  - Masks lowered infections.\n"
    "DO  - 10.1056/NEJMoa2021436\nER  - \n",
    "papers/falls.nbib": "PMID- 19797342\nTI  - Vitamin D and falls\nAB  - Vitamin D cut falls.\n",
    "folder/more.ris": "TY  - JOUR\nTI  - Sleep\nAB  - Sleep latency in adults fell.\nER  - \n",
    "export.txt": "TY  - JOUR\nTI  - Garlic\nAB  - Garlic did not prevent colds.\nER  - \n",
    "fused.toml": (ROOT / "docs_src" / "fused.toml").read_text("utf-8"),
}
"""The files of their own that readers of the pages have."""


def _blocks(page: Path) -> list[tuple[list[str], str]]:
    """Give the commands of a page, block by block, each with the output the page shows for it."""
    found = re.findall(
        r"```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?", page.read_text("utf-8"), re.DOTALL
    )
    return [(code.replace("\\\n", " ").splitlines(), shown) for code, shown in found]


def _commands(line: str) -> list[str]:
    """Give the commands of a line that are run."""
    parts = [part.strip() for part in line.partition(" #")[0].split("&&")]
    return [part for part in parts if part and not part.startswith(tuple(NOT_RUN))]


@pytest.fixture
def newcomer(tmp_path: Path) -> dict[str, str]:
    """The environment of a user who has the checkout and nothing else; it names the folder."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("examples", "models"):
        (folder / name).symlink_to(ROOT / name)
    for name, text in GIVEN.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    command = tmp_path / "bin" / "claimscope"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m claimscope "$@"\n')
    command.chmod(0o755)
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "HOME": str(tmp_path / "home"), "PATH": path, "PWD": str(folder)}


@pytest.mark.parametrize(
    "page", ["README.md", "docs/tutorial.md", "docs/first-hour.md", "docs/how-to.md"]
)
def test_a_new_user_can_run_the_page_from_top_to_bottom(
    newcomer: dict[str, str], page: str
) -> None:
    ran = 0
    for lines, shown in _blocks(ROOT / page):
        printed = ""
        for command in (each for line in lines for each in _commands(line)):
            done = subprocess.run(
                ["sh", "-c", command],
                capture_output=True,
                text=True,
                env=newcomer,
                cwd=newcomer["PWD"],
            )
            assert done.returncode == 0, f"{page}: {command}: {done.stderr}"
            printed += done.stdout
            ran += 1
        _assert_shown(shown, printed)
    assert ran > 2


def _assert_shown(shown: str, printed: str) -> None:
    """See that the lines a page shows were printed; "…" stands for anything."""
    for line in shown.splitlines():
        pattern = ".*".join(re.escape(part) for part in line.split("…"))
        assert re.search(f"^{pattern}$", printed, re.MULTILINE), f"{line!r} is not in: {printed}"


def _written() -> list[tuple[str, str]]:
    """Give every Claimscope command of the pages that people write by hand."""
    found = []
    for page in PAGES:
        if page.parent.name == "reference":
            continue
        text = page.read_text("utf-8")
        code = re.findall(r"```(?:sh|bash)\n(.*?)```", text, re.DOTALL)
        lines = [line for block in code for line in block.replace("\\\n", " ").splitlines()]
        lines += [" ".join(each.split()) for each in re.findall(r"`(claimscope [^`]+)`", text)]
        found += [(page.name, each) for line in lines for each in re.split(r"&&|[<>|] ", line)]
    return [
        (page, re.sub(r"^(?:\w+=\S+ )+", "", each.strip()))
        for page, each in found
        if re.match(r"\s*(?:\w+=\S+ )*claimscope ", each)
    ]


@pytest.mark.parametrize(("page", "command"), _written())
def test_every_command_and_option_of_a_page_exists(page: str, command: str) -> None:
    here: Any = typer.main.get_command(app)
    words = shlex.split(command, comments=True)[1:]
    while words and words[0] in getattr(here, "commands", {}):
        here = here.commands[words.pop(0)]
    if words:
        is_verb = not hasattr(here, "commands") or words[0].startswith("-")
        assert is_verb, f"{page}: there is no command {words[0]!r}"
    known = {"--help", *(each for param in here.params for each in param.opts)}
    asked = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert asked <= known, f"{page}: {command} has no option {', '.join(asked - known)}"
