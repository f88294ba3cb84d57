"""Every line that says how to install something works from a checkout."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claimscope.cli import doctor as doctor_module
from claimscope.cli.app import app
from claimscope.errors import MissingExtraError

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "src").rglob("*.py")),
    *sorted((ROOT / "tests").rglob("*.py")),
]
# The package is on no registry, so pip cannot find it by name.
BY_NAME = re.compile(r"pip install [^\n`&]*['\" ]claimscope\b(?!/)")


def test_no_text_installs_the_package_by_name() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in TEXTS
        if path != Path(__file__)
        for line in BY_NAME.findall(path.read_text("utf-8"))
    ]
    assert not wrong


def test_every_extra_that_a_page_installs_is_declared() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for path in TEXTS:
        for extra in re.findall(r"pip install [^\n]*\"\.\[(\w+)\]\"", path.read_text("utf-8")):
            assert extra in declared["optional-dependencies"], f"{path}: {extra}"


def test_a_missing_extra_says_how_to_add_it_from_a_checkout() -> None:
    message = str(MissingExtraError("The service", "serve"))
    assert 'pip install ".[serve]"' in message
    assert "checkout" in message


def test_doctor_says_how_to_add_an_extra_from_a_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_module, "_EXTRAS", {"serve": ("no_such_module",)})
    shown = CliRunner().invoke(app, ["doctor", "--library", "demo"]).output
    assert 'missing no_such_module: run pip install ".[serve]" in the checkout' in shown


def test_the_hashed_pins_are_those_of_the_constraints() -> None:
    lines = (ROOT / "constraints-hashed.txt").read_text().splitlines()
    hashed = [line.split()[0] for line in lines if "==" in line]
    pinned = {line for line in (ROOT / "constraints.txt").read_text().split() if "==" in line}
    assert len(hashed) > 100
    assert {name.lower().replace("_", "-") for name in hashed} & {
        name.lower().replace("_", "-") for name in pinned
    }
    assert all(line.startswith(("#", "    --hash=sha256:")) or "==" in line for line in lines)
    assert "://" not in "".join(lines)


def test_doctor_says_that_a_language_model_has_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAIMSCOPE_LLM_URL", raising=False)
    monkeypatch.delenv("CLAIMSCOPE_LLM_MODEL", raising=False)
    shown = CliRunner().invoke(app, ["doctor", "--library", "demo"]).output
    lacks = "lacks a language model's server: set CLAIMSCOPE_LLM_URL and CLAIMSCOPE_LLM_MODEL"
    assert f"preset llm: {lacks}" in shown
    assert f"preset second-opinion: {lacks}" in shown
    assert "preset claimscope: ready" in shown
    monkeypatch.setenv("CLAIMSCOPE_LLM_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("CLAIMSCOPE_LLM_MODEL", "some")
    assert "preset llm: ready" in CliRunner().invoke(app, ["doctor", "--library", "demo"]).output
