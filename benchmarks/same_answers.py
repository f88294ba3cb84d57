"""Compare `claimscope check --json` of this checkout with that of an earlier commit.

    python benchmarks/same_answers.py COMMIT [--preset NAME]...

The earlier version is installed into a temporary folder; pip may download setuptools for it. Both
versions check the 40 claims of `demo_claims.jsonl` against their demonstration library, each in an
empty home. For each preset the command prints how many lines are identical byte for byte, and which
keys of the others differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimscope.pipeline.preset import DEFAULT_PRESET

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = Path(__file__).with_name("demo_claims.jsonl")


def main() -> None:
    """Print a table per preset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--preset", action="append", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        former = install(options.commit, Path(folder))
        for preset in options.preset or [DEFAULT_PRESET]:
            before = answers(former, preset, Path(folder) / "before")
            compare(preset, before, answers(ROOT / "src", preset, Path(folder) / "after"))


def install(commit: str, folder: Path) -> Path:
    """Install a commit without its dependencies, and give the folder of its packages."""
    source, target = folder / "source", folder / "packages"
    source.mkdir()
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", str(source)], input=packed.stdout, check=True)
    words = ["install", "-q", "--no-deps", "--no-compile", "--target"]
    subprocess.run([sys.executable, "-m", "pip", *words, str(target), str(source)], check=True)
    return target


def answers(packages: Path, preset: str, home: Path) -> list[bytes]:
    """Give the lines that the command line of a version prints."""
    lines = [json.loads(line) for line in CLAIMS.read_text("utf-8").splitlines()]
    claims = "".join(
        json.dumps({"id": each["id"], "claim": each["claim"]}) + "\n" for each in lines
    )
    command = [sys.executable, "-m", "claimscope", "check", "-", "--json", "--library", "demo"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(packages)}
    done = subprocess.run(
        [*command, "--preset", preset],
        input=claims.encode(),
        env=environment,
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr.decode())
    return done.stdout.splitlines()


def compare(preset: str, before: list[bytes], after: list[bytes]) -> None:
    """Print how many answers are the same, and what differs in the others."""
    pairs = list(zip(before, after, strict=True))
    same = sum(one == other for one, other in pairs)
    differences = [
        set(differing(json.loads(one), json.loads(other))) for one, other in pairs if one != other
    ]
    extended = sum(all(map(_is_extension, keys)) for keys in differences)
    print(
        f"{preset}: {same} of {len(pairs)} answers are identical byte for byte; "
        f"{extended} more differ only in new keys and the version"
    )
    for key, count in sorted(Counter(key for keys in differences for key in keys).items()):
        print(f"  {key}: {count}")


def _is_extension(key: str) -> bool:
    return key.endswith("(new)") or key == "provenance.version"


def differing(one: Any, other: Any, key: str = "") -> Iterator[str]:
    """Name the keys below which two JSON values differ; list items share one name."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            below = f"{key}.{name}" if key else name
            if name not in one:
                yield f"{below} (new)"
            elif name not in other:
                yield f"{below} (gone)"
            else:
                yield from differing(one[name], other[name], below)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for first, second in zip(one, other, strict=True):
            yield from differing(first, second, f"{key}[]")
    elif one != other:
        yield key


if __name__ == "__main__":
    main()
