"""Documents, presets, commands and names agree with one another."""

from __future__ import annotations

import os
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


def _python_examples(folder: Path) -> list[Path]:
    """Write the Python examples of the pages to files."""
    scripts = []
    for page in (ROOT / "README.md", ROOT / "docs" / "tutorial.md"):
        for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S)):
            scripts.append(folder / f"{page.stem.lower()}{number}.py")
            scripts[-1].write_text(code)
    return scripts


def test_every_python_example_of_the_pages_prints_what_it_says(tmp_path: Path) -> None:
    for script in _python_examples(tmp_path):
        done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
        assert done.returncode == 0, f"{script.name}: {done.stderr}"
        promised = re.findall(r"print\(.*\)  # (.+)", script.read_text())
        assert promised, f"{script.name} says nothing of what it prints"
        for line in promised:
            assert line in done.stdout.splitlines(), f"{script.name}: {done.stdout}"


def test_every_python_example_has_strict_types(tmp_path: Path) -> None:
    scripts = [*_python_examples(tmp_path), *sorted((ROOT / "examples").glob("*.py"))]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *map(str, scripts)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


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
