"""Seeds errors into presets, trainings, builders and stages, and counts those the tests catch.

python benchmarks/mutations.py [--only WORDS]

Each edit of mutations.toml is made in a temporary copy of the tree, alone. An edit is caught if a
test of its group fails. Tests run one after the other in forks of a process that has imported the
libraries already, so an edit takes seconds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
EDITS = Path(__file__).with_name("mutations.toml")


@dataclass(frozen=True, slots=True)
class Edit:
    """One seeded error: a text of a file that becomes another."""

    file: str
    old: str
    new: str
    tests: str
    """The group of tests that is to catch it."""

    def apply(self, tree: Path) -> str:
        """Make the edit and give what the file was before."""
        path = tree / "src" / "claimscope" / self.file
        before = path.read_text("utf-8")
        if self.old not in before:
            raise SystemExit(f"{self.file} has no {self.old!r} any more; mend {EDITS.name}.")
        _write(path, before.replace(self.old, self.new, 1))
        return before

    def revert(self, tree: Path, before: str) -> None:
        """Undo the edit."""
        _write(tree / "src" / "claimscope" / self.file, before)


def _write(path: Path, text: str) -> None:
    """Write a file and delete its compiled form, which would pass for current within a second."""
    path.write_text(text, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()


def copied_tree(folder: Path) -> Path:
    """Copy the package and its tests, without compiled files."""
    for name in ("src", "tests"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    return folder


def tests_pass(tree: Path, paths: Sequence[str]) -> bool:
    """Run tests against the copy in a fork, and say whether all pass."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    code = 1
    try:
        code = _run(tree, paths)
    finally:
        os._exit(code)


def _run(tree: Path, paths: Sequence[str]) -> int:
    import pytest

    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    os.chdir(tree)
    kept = [each for each in sys.path if Path(each).resolve() not in {ROOT, ROOT / "src"}]
    sys.path[:] = [str(tree / "src"), str(tree), *kept]
    return int(pytest.main([*paths, "-x", "-q", "-p", "no:cacheprovider"]))


def main() -> int:
    """Try every edit and print the share that is caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only edits of files with these words")
    said = parser.parse_args()
    table = tomllib.loads(EDITS.read_text("utf-8"))
    edits = [Edit(**each) for each in table["edits"] if said.only in each["file"]]
    import torch
    import transformers  # noqa: F401

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        tree = copied_tree(Path(folder))
        for name in sorted({each.tests for each in edits}):
            if not tests_pass(tree, table["tests"][name]):
                raise SystemExit(f"The tests {name!r} fail without any edit; mend them first.")
        missed = [each for each in edits if not _caught(each, tree, table["tests"][each.tests])]
    for each in missed:
        print(f"missed: {each.file}: {each.old!r} -> {each.new!r}")
    caught = len(edits) - len(missed)
    print(f"{caught} of {len(edits)} seeded errors caught ({caught / len(edits):.1%})")
    return 0


def _caught(edit: Edit, tree: Path, paths: Sequence[str]) -> bool:
    before = edit.apply(tree)
    try:
        caught = not tests_pass(tree, paths)
    finally:
        edit.revert(tree, before)
    print(f"{'caught' if caught else 'MISSED'}  {edit.file}: {edit.new.strip()!r}", flush=True)
    return caught


if __name__ == "__main__":
    sys.exit(main())
