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
DOCS = ROOT / "docs"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(DOCS.rglob("*.md")),
]
SCRIPTS = sorted([*(ROOT / "docs_src").glob("*.py"), *(ROOT / "examples").glob("*.py")])
CLIENT = ROOT / "docs_src" / "service_client.py"
DOCUMENTED_ADDRESS = "http://127.0.0.1:8765"


def test_the_reference_is_as_the_code() -> None:
    words = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    checked = subprocess.run(words, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def _targets(page: Path) -> list[str]:
    """Give the files that a page links to, without addresses on the web."""
    found = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8"))
    return [target for target in found if "://" not in target]


def test_every_promise_of_security_has_a_test_that_exists() -> None:
    kept, _, tested = (ROOT / "SECURITY.md").read_text("utf-8").partition("## How the promises")
    promises = re.findall(r"^\| ([A-Z][^|]+\.) \|", kept, re.MULTILINE)
    assert len(promises) > 5
    for promise in promises:
        row = re.search(rf"^\| {re.escape(promise)} \| `tests/", tested, re.MULTILINE)
        assert row, promise
    named = set(re.findall(r"tests/[\w/]+\.py", tested))
    assert not [name for name in named if not (ROOT / name).is_file()]


def test_every_link_to_a_file_leads_somewhere() -> None:
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in _targets(page)
        if not (page.parent / target).exists()
    ]
    assert not broken


def test_pages_link_only_to_pages_and_files_of_the_site() -> None:
    outside = [
        f"{page.name}: {target}"
        for page in PAGES
        if DOCS in page.parents
        for target in _targets(page)
        if not (page.parent / target).resolve().is_relative_to(DOCS)
    ]
    assert not outside, "the site has only what is in docs/"


def test_the_site_lists_every_page() -> None:
    listed = re.findall(r"^ +- [^:]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M)
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted(pages)


def test_the_pages_load_nothing_from_elsewhere() -> None:
    for page in [*PAGES, *(DOCS / "images").glob("*.svg")]:
        loaded = re.findall(r"(?:!\[[^]]*\]\(|src=\"|url\(\"?)(https?:[^)\"]+)", page.read_text())
        assert not loaded, f"{page.name} loads {loaded}"
        assert "```mermaid" not in page.read_text(), f"{page.name} needs a script from elsewhere"


def test_the_design_names_files_that_exist() -> None:
    package = ROOT / "src" / "claimscope"
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.py)`", (DOCS / "design.md").read_text())
    missing = [name for name in named if not (package / name).is_file()]
    assert named
    assert not missing


def test_every_python_example_of_the_site_is_a_tested_file() -> None:
    for page in DOCS.rglob("*.md"):
        for code in re.findall(r"```py(?:thon)?\n(.*?)```", page.read_text(), re.S):
            assert re.fullmatch(r'--8<-- "(docs_src|examples)/\w+\.py"\n', code), page.name
        for name in re.findall(r'--8<-- "([^"]+)"', page.read_text()):
            assert (ROOT / name).is_file(), f"{page.name} includes {name}"


def test_the_readmes_example_is_the_first_of_the_site() -> None:
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert code == (ROOT / "docs_src" / "first_check.py").read_text()


def test_every_python_example_has_strict_types() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *map(str, SCRIPTS)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    "script", [path for path in SCRIPTS if path != CLIENT], ids=lambda path: path.stem
)
def test_every_example_prints_what_it_says(script: Path) -> None:
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert bool(done.stdout) == ("print(" in script.read_text())
    for line in re.findall(r"print\(.*\)  # (.+)", script.read_text()):
        assert line in done.stdout.splitlines(), done.stdout


def test_the_example_of_the_client_talks_to_a_real_service(tmp_path: Path) -> None:
    code = CLIENT.read_text()
    serve = [sys.executable, "-m", "claimscope", "serve", "--library", "demo", "--port", "0"]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, env=environment) as service:
        try:
            assert service.stdout is not None
            [address] = re.findall(r"http://[\d.:]+", service.stdout.readline())
            assert DOCUMENTED_ADDRESS in code
            moved = code.replace(DOCUMENTED_ADDRESS, address)
            done = subprocess.run([sys.executable, "-c", moved], capture_output=True, text=True)
        finally:
            service.terminate()
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["candidates", "verdict"]
    assert len(lines) == 5


def test_the_example_preset_builds_a_pipeline() -> None:
    words = ["check", "--library", "demo", "--preset", str(ROOT / "docs_src" / "fused.toml")]
    done = subprocess.run(
        [sys.executable, "-m", "claimscope", *words, "Antarctica is losing ice"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "NOT_ENOUGH_INFO" in done.stdout


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
    assert f"version: {version}" in (ROOT / "CITATION.cff").read_text()
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_workflow_runs_the_checks_of_the_ci_script() -> None:
    assert "run: bash .ci/run" in (ROOT / ".github" / "workflows" / "ci.yml").read_text()
