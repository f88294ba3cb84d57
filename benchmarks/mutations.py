"""Seeds errors into presets, trainings, builders and stages, and counts those the tests catch.

python benchmarks/mutations.py [--only WORDS] [--fresh]

Each edit of mutations.toml is made in a temporary copy of the tree, alone. An edit is caught if a
test of its group fails. Tests run one after the other in forks of a process that has imported the
libraries already, so an edit takes seconds. Outcomes are kept in .benchmarks/mutations.json: a
stopped run goes on. An edit is tried again when its file or its tests have changed, or with
`--fresh`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
EDITS = Path(__file__).with_name("mutations.toml")
KEPT = ROOT / ".benchmarks" / "mutations.json"


@dataclass(frozen=True, slots=True)
class Edit:
    """One seeded error: a text of a file that becomes another."""

    file: str
    old: str
    new: str
    tests: str
    """The group of tests that is to catch it."""

    @property
    def fits(self) -> bool:
        """Whether the file still has the text."""
        path = ROOT / "src" / "claimscope" / self.file
        return path.is_file() and self.old in path.read_text("utf-8")

    def key(self, paths: Sequence[str]) -> str:
        """Name the edit of the files as they are now."""
        files = [Path("src") / "claimscope" / self.file, *(Path(each) for each in paths)]
        found = [(ROOT / each).read_bytes() for each in files if (ROOT / each).is_file()]
        words = (
            self.file,
            self.old,
            self.new,
            *(hashlib.sha256(each).hexdigest() for each in found),
        )
        return hashlib.sha256("\0".join(words).encode()).hexdigest()

    def apply(self, tree: Path) -> str:
        """Make the edit and give what the file was before."""
        path = tree / "src" / "claimscope" / self.file
        before = path.read_text("utf-8")
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


def edits() -> tuple[list[Edit], dict[str, list[str]]]:
    """Read the seeded errors, and the tests of each group."""
    table = tomllib.loads(EDITS.read_text("utf-8"))
    return [Edit(**each) for each in table["edits"]], table["tests"]


def main() -> int:
    """Try every edit and print the share that is caught."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only edits of files with these words")
    parser.add_argument("--fresh", action="store_true", help="forget the outcomes that were kept")
    said = parser.parse_args()
    every, groups = edits()
    chosen = [each for each in every if said.only in each.file]
    if stale := [each for each in chosen if not each.fits]:
        shown = "; ".join(f"{each.file}: {each.old!r}" for each in stale)
        raise SystemExit(f"Texts that are gone: {shown}. Mend {EDITS.name}.")
    kept = {} if said.fresh or not KEPT.is_file() else json.loads(KEPT.read_text("utf-8"))
    keys = {each: each.key(groups[each.tests]) for each in chosen}
    _try([each for each in chosen if keys[each] not in kept], keys, groups, kept)
    missed = [each for each in chosen if not kept[keys[each]]]
    for each in missed:
        print(f"missed: {each.file}: {each.old!r} -> {each.new!r}")
    caught = len(chosen) - len(missed)
    print(f"{caught} of {len(chosen)} seeded errors caught ({caught / len(chosen):.1%})")
    return 0


def _try(
    waiting: Sequence[Edit],
    keys: Mapping[Edit, str],
    groups: Mapping[str, Sequence[str]],
    kept: dict[str, bool],
) -> None:
    """Try edits and keep each outcome at once; a group must pass before its first edit."""
    import torch
    import transformers  # noqa: F401

    torch.set_num_threads(1)
    passing: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        tree = copied_tree(Path(folder))
        for each in waiting:
            if each.tests not in passing and not tests_pass(tree, groups[each.tests]):
                raise SystemExit(
                    f"The tests {each.tests!r} fail without any edit; mend them first."
                )
            passing.add(each.tests)
            kept[keys[each]] = _caught(each, tree, groups[each.tests])
            KEPT.parent.mkdir(exist_ok=True)
            KEPT.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


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
