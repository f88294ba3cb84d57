"""Every benchmark still starts, so that the numbers of the docs can be measured again."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"


def _own_imports(path: Path) -> Iterator[tuple[str, str]]:
    """Give the names that a script takes from Claimscope, those within functions, too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("claimscope"):
            yield from ((str(node.module), alias.name) for alias in node.names)


def test_every_benchmark_finds_what_it_imports() -> None:
    scripts = sorted(BENCHMARKS.glob("*.py"))
    names = sorted({pair for path in BENCHMARKS.rglob("*.py") for pair in _own_imports(path)})
    code = (
        "import importlib, sys\n"
        f"sys.path.insert(0, {str(BENCHMARKS)!r})\n"
        f"for script in {[path.stem for path in scripts]!r}:\n"
        "    importlib.import_module(script)\n"
        f"for module, name in {names!r}:\n"
        "    found = importlib.import_module(module)\n"
        "    if not hasattr(found, name):\n"
        "        importlib.import_module(f'{module}.{name}')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert len(scripts) > 20
    assert done.returncode == 0, done.stderr[-2000:]


def test_every_command_of_the_measurements_names_a_script() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *BENCHMARKS.glob("*.md")]
    words = " ".join(page.read_text("utf-8") for page in pages).split()
    named = {word.strip("`.,;:()") for word in words if word.startswith("benchmarks/")}
    scripts = {name for name in named if name.endswith(".py")}
    assert scripts
    assert not {name for name in scripts if not (ROOT / name).is_file()}


def test_every_seeded_error_still_has_its_place() -> None:
    table = tomllib.loads((BENCHMARKS / "mutations.toml").read_text("utf-8"))
    assert len(table["edits"]) >= 60
    for each in table["edits"]:
        path = ROOT / "src" / "claimscope" / each["file"]
        assert each["old"] in path.read_text("utf-8"), each
        assert each["old"] != each["new"]
        assert each["tests"] in table["tests"]
