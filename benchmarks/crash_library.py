"""Kill a process that writes to a library, again and again, and look for anything lost.

A child process adds, updates and removes documents, now and then rebuilds or compacts, and tells
when each change is acknowledged; it is killed (SIGKILL) at a random moment, also while opening.
Then the library must hold every acknowledged change, find each document by a word that only its
newest version holds, find no removed or former text, and verify clean. Run

    python benchmarks/crash_library.py [--kills 60] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from claimscope.library import importer as batches
from claimscope.library.local import LocalLibrary
from claimscope.types import Document, Metadata

LONGEST_LIFE = 0.8
"""Seconds a child lives after it began to open the library."""

Contents = dict[str, int]
"""The version of every document that is there."""


@dataclass(frozen=True)
class Change:
    """One acknowledged step: documents to write, with their versions, or ids to remove."""

    written: Contents = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    housekeeping: str | None = None

    def apply_to(self, contents: Contents) -> Contents:
        """Give the contents after this change."""
        kept = {name: version for name, version in contents.items() if name not in self.removed}
        return kept | self.written

    def perform(self, library: LocalLibrary) -> None:
        """Do it."""
        if self.written:
            library.add(document(name, version) for name, version in self.written.items())
        if self.removed:
            library.remove(self.removed)
        if self.housekeeping == "rebuild":
            library.rebuild()
        if self.housekeeping == "compact":
            library.compact()


def change(number: int) -> Change:
    """Give the change of this number; it depends on the number alone, so that it can be redone."""
    chance = random.Random(number)
    names = [f"d{chance.randrange(600)}" for _ in range(30)]
    match chance.randrange(20):
        case 0:
            return Change(housekeeping="rebuild")
        case 1:
            return Change(housekeeping="compact")
        case 2 | 3 | 4 | 5:
            return Change(removed=tuple(names[:12]))
        case _:
            return Change(written=dict.fromkeys(names, number))


def word(name: str, version: int) -> str:
    """Give the one word that only this version of a document holds."""
    return f"{name}version{version}"


def document(name: str, version: int) -> Document:
    """Make a version of a document, with some text that all share."""
    abstract = f"We studied {word(name, version)}. " + "The effect was measured again. " * 20
    return Document(name, f"Study of {name}", abstract, ((0, len(abstract)),), Metadata(year=2000))


def child(folder: Path, number: int) -> None:
    """Change the library for ever, telling of each acknowledged change."""
    batches._DOCUMENTS = 10  # so that a change takes several transactions
    print("opening", flush=True)
    with LocalLibrary(folder, create=True) as library:
        print("ready", flush=True)
        while True:
            change(number).perform(library)
            print(number, flush=True)
            number += 1


@dataclass
class Tally:
    """What the killing showed."""

    kills: int = 0
    killed_opening: int = 0
    acknowledged: int = 0
    in_flight: int = 0
    recoveries: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def run_and_kill(folder: Path, number: int, seconds: float) -> list[str]:
    """Let a child work for some seconds, kill it, and give the lines it wrote."""
    command = [sys.executable, __file__, "--child", str(number), "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        output = process.stdout or ()
        lines = [next(iter(output), "").strip()]
        timer = threading.Timer(seconds, process.send_signal, [signal.SIGKILL])
        timer.start()
        lines += [line.strip() for line in output if line.endswith("\n")]
        timer.join()
    if process.returncode != -signal.SIGKILL:
        raise SystemExit(f"The child ended by itself with code {process.returncode}.")
    return lines


def inspect(folder: Path, before: Contents, after: Contents, tally: Tally) -> None:
    """Compare the library with what was acknowledged, and what was under way when it died."""
    with LocalLibrary(folder, create=True) as library:
        tally.recoveries[library.recovery.action.value] += 1
        tally.problems += [problem.sentence for problem in library.verify()]
        found = {}
        for item in library.documents():
            found[item.id] = version_of(item)
            if item != document(item.id, found[item.id]):
                tally.problems.append(f"{item.id} is not the text of version {found[item.id]}")
        for name in before.keys() | after.keys() | found.keys():
            if found.get(name) not in (before.get(name), after.get(name)):
                tally.problems.append(f"{name} is {found.get(name)}, not {before.get(name)}")
            if before.get(name) != after.get(name) and found.get(name) == after.get(name):
                tally.in_flight += 1
            tally.problems += unsearchable(library, name, found.get(name), before.get(name))


def version_of(item: Document) -> int:
    """Read the version out of a document's text."""
    return int(item.abstract.split("version")[1].split(".")[0])


def unsearchable(
    library: LocalLibrary, name: str, version: int | None, former: int | None
) -> list[str]:
    """Say what a search for a document's words finds wrongly."""
    problems = []
    if version is not None:
        hits = library.search([word(name, version)], 1)[0]
        if not hits or hits[0].document_id != name:
            problems.append(f"{name} at version {version} cannot be found")
    if former is not None and former != version and library.search([word(name, former)], 1)[0]:
        problems.append(f"{name} is found by the text of its former version {former}")
    return problems


def torture(kills: int, seed: int, tally: Tally | None = None) -> Tally:
    """Kill as often as asked and check after each time; a given tally tells how far it is."""
    chance = random.Random(seed)
    tally = Tally() if tally is None else tally
    contents: Contents = {}
    number = 0
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "library"
        while tally.kills < kills:
            lines = run_and_kill(folder, number, chance.uniform(0, LONGEST_LIFE))
            tally.kills += 1
            tally.killed_opening += "ready" not in lines
            for line in lines:
                if line.isdigit():
                    contents = change(int(line)).apply_to(contents)
                    number = int(line) + 1
                    tally.acknowledged += 1
            # Sometimes the next child opens what the last one left, and may die repairing it.
            if chance.random() < 0.7 or tally.kills == kills:
                inspect(folder, contents, change(number).apply_to(contents), tally)
    return tally


def main() -> int:
    """Run and print the table; the exit code says whether anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.folder, options.child)
    started = time.perf_counter()
    tally = torture(options.kills, options.seed)
    rows = {
        "kills": tally.kills,
        "  of them while opening": tally.killed_opening,
        "acknowledged changes": tally.acknowledged,
        "document changes found of unacknowledged ones": tally.in_flight,
        **{f"openings: {name}": count for name, count in sorted(tally.recoveries.items())},
        "lost, half-searchable or inconsistent": len(tally.problems),
        "seconds": round(time.perf_counter() - started),
    }
    for name, value in rows.items():
        print(f"{name:<48}{value:>8,}")
    for problem in tally.problems[:20]:
        print(problem)
    return 1 if tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
