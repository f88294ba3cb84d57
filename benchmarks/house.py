"""The shape of the code in one table row: modules, packages, cycles, lines, names and tests.

    python benchmarks/house.py [--check]

`--check` also counts the modules of the package that one check of a claim imports.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE, TESTS = ROOT / "src" / "claimscope", ROOT / "tests"
_SHARED_LINES = 6
"""Equal lines in a row that count as a duplicate."""


@dataclass(frozen=True)
class Module:
    """A source file and what is counted in it."""

    path: Path

    @property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return self.path.read_text("utf-8").splitlines()

    @property
    def is_private(self) -> bool:
        """Whether users do not import it: its package names the public names in its place."""
        relative = self.path.relative_to(SOURCE)
        if len(relative.parts) == 1:
            return relative.stem.startswith("_") and relative.stem != "__init__"
        # Below a top-level package only its `__init__` is imported by users.
        return len(relative.parts) > 2 or relative.stem != "__init__"

    def functions(self) -> Iterator[int]:
        """Give the length of each function in lines."""
        for node in ast.walk(ast.parse(self.path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield (node.end_lineno or node.lineno) - node.lineno + 1

    def public_names(self) -> int:
        """Count the functions and classes without an underscore."""
        body = ast.parse(self.path.read_text("utf-8")).body
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return sum(isinstance(node, kinds) and not node.name.startswith("_") for node in body)


def modules(folder: Path) -> list[Module]:
    """Give the Python files of a folder."""
    return [Module(path) for path in sorted(folder.rglob("*.py"))]


def percentile(values: Iterable[int], share: float) -> int:
    """Give the value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def cycles() -> list[tuple[str, str]]:
    """Give the pairs of packages that import each other, directly or through others."""
    import grimp  # Of the extra dev, which tests do without.

    graph = grimp.build_graph("claimscope")
    packages = sorted(graph.find_children("claimscope"))
    for package in packages:
        graph.squash_module(package)
    return [
        (one, other)
        for one, other in combinations(packages, 2)
        if graph.chain_exists(one, other) and graph.chain_exists(other, one)
    ]


def duplicated(found: Sequence[Module]) -> int:
    """Count runs of equal code lines that stand in two files."""
    places: dict[tuple[str, ...], Path] = {}
    runs: set[tuple[Path, Path]] = set()
    for module in found:
        lines = [line.strip() for line in module.lines]
        code = [line for line in lines if line and not line.startswith(("#", "from ", "import "))]
        for start in range(len(code) - _SHARED_LINES + 1):
            run = tuple(code[start : start + _SHARED_LINES])
            if places.setdefault(run, module.path) != module.path:
                runs.add((places[run], module.path))
    return len(runs)


def imported_by_check() -> int:
    """Count the modules of the package that one check imports, in a process of its own."""
    code = (
        "import sys\n"
        "from claimscope import Checker, open_library\n"
        "with open_library('demo') as library:\n"
        "    Checker(library).check('Aspirin prevents heart attacks')\n"
        "print(sum(n == 'claimscope' or n.startswith('claimscope.') for n in sys.modules))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(shown.stdout.split()[-1])


def rows(check: bool) -> Iterator[tuple[str, object]]:
    """Give the figures by name."""
    found = modules(SOURCE)
    lengths = [len(module.lines) for module in found]
    functions = [length for module in found for length in module.functions()]
    tests = sum(len(module.lines) for module in modules(TESTS))
    yield "modules", len(found)
    yield "packages", sum(module.path.name == "__init__.py" for module in found)
    yield "top-level packages", sum(path.is_dir() for path in SOURCE.glob("[a-z]*"))
    yield "pairs of packages in a cycle", len(cycles())
    yield "source lines", sum(lengths)
    yield "file median · p90 · max", _spread(lengths)
    yield "function median · p90 · max", _spread(functions)
    yield "public functions and classes", sum(module.public_names() for module in found)
    yield "private modules", f"{sum(m.is_private for m in found) / len(found):.0%}"
    yield "pairs of files that share six lines", duplicated(found)
    yield "test lines per source line", f"{tests / sum(lengths):.2f}"
    if check:
        yield "modules imported by one check", imported_by_check()


def _spread(values: Sequence[int]) -> str:
    return f"{percentile(values, 0.5)} · {percentile(values, 0.9)} · {max(values)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    print("| | |\n|---|--:|")
    for name, value in rows(parser.parse_args().check):
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
