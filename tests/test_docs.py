"""Documents, presets, commands and names agree with one another."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import claimscope

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_reference_is_as_the_code() -> None:
    words = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    checked = subprocess.run(words, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_every_link_to_a_file_leads_somewhere() -> None:
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not broken


def test_every_python_example_of_the_pages_runs(tmp_path: Path) -> None:
    for page in (ROOT / "README.md", ROOT / "docs" / "tutorial.md"):
        for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S)):
            script = tmp_path / f"{page.stem}{number}.py"
            script.write_text(code)
            done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
            assert done.returncode == 0, f"{page.name}: {done.stderr}"
            assert done.stdout


@pytest.mark.parametrize(
    "script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem
)
def test_every_example_runs(script: Path) -> None:
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_public_names_are_pinned_and_load() -> None:
    assert claimscope.__all__ == sorted(claimscope.__all__)
    for name in claimscope.__all__:
        assert getattr(claimscope, name) is not None


def test_the_ci_finds_the_readmes_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    [extraction] = re.findall(r"\$\((sed .*?)\)\"", script)
    found = subprocess.run(extraction, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert found.stdout.startswith("pip install")
    assert "pytest" in found.stdout


def test_the_version_is_the_same_everywhere() -> None:
    version = claimscope.__version__
    assert f'version = "{version}"' in (ROOT / "pyproject.toml").read_text()
    assert f"version: {version}" in (ROOT / "CITATION.cff").read_text()
