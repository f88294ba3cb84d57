"""Measures the audit on three manuscripts with 60 planted errors, and the time it takes.

    python benchmarks/audit/run.py

Each line of a manuscript is a sentence with one citation; the comment at its end names the error
that was planted. The manuscripts were written once and the program was not fitted to them. A
warning is right if its line has an error, whatever its kind.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from pathlib import Path

from claimscope import Checker, open_library
from claimscope.audit import Level, Options, audit, bibliographies, read_manuscript

FOLDER = Path(__file__).parent / "manuscripts"
ERROR = re.compile(r"(?:<!--|%) error: ([\w ]+?)(?: -->)?$")
KINDS = ("wrong direction", "wrong number", "wrong paper", "overclaim", "retracted")
URGENT = {Level.ERROR, Level.WARNING}


def planted(path: Path) -> dict[int, str]:
    """Give the kind of error by line."""
    lines = path.read_text("utf-8").splitlines()
    return {n: match[1] for n, line in enumerate(lines, 1) if (match := ERROR.search(line))}


def main() -> None:
    """Audit all manuscripts and print a table."""
    found: Counter[str] = Counter()
    noted: Counter[str] = Counter()
    total: Counter[str] = Counter()
    warned = right = citations = 0
    seconds = cpu = 0.0
    with open_library("demo") as library:
        checker = Checker(library)
        for path in sorted(FOLDER.iterdir()):
            if path.suffix not in {".md", ".tex"}:
                continue
            errors = planted(path)
            started, used = time.perf_counter(), time.process_time()
            manuscript = read_manuscript(path)
            references = list(bibliographies(path, manuscript.bibliographies))
            quiet = Options(with_uncited=False)
            result = audit(manuscript, library, checker, references, options=quiet)
            seconds += time.perf_counter() - started
            cpu += time.process_time() - used
            citations += len(result.citations)
            urgent = {item.place for item in result.findings if item.level in URGENT}
            notes = {item.place for item in result.findings if item.level is Level.NOTE} | urgent
            total.update(errors.values())
            found.update(kind for line, kind in errors.items() if line in urgent)
            noted.update(kind for line, kind in errors.items() if line in notes)
            warned += len(urgent)
            right += len(urgent & errors.keys())
            for item in result.citations:
                if (item.place in errors) != (item.place in urgent):
                    kind = errors.get(item.place, "no error")
                    print(f"<!-- {path.name}:{item.place} {kind}: {item.outcome.value} -->")
    print("\n| planted error | sentences | warned | recall | warned or noted |")
    print("|---|--:|--:|--:|--:|")
    for kind in KINDS:
        share = found[kind] / total[kind]
        print(f"| {kind} | {total[kind]} | {found[kind]} | {share:.0%} | {noted[kind]} |")
    planned, hit = sum(total.values()), sum(found.values())
    print(f"| all | {planned} | {hit} | {hit / planned:.0%} | {sum(noted.values())} |")
    print(f"\nPrecision of the warnings: {right} of {warned}, {right / warned:.0%}.")
    print(f"{citations} citations, of which {citations - planned} have no error.")
    load = os.getloadavg()[0]
    print(
        f"{seconds:.1f} s, {cpu:.1f} s of computing time; load {load:.1f}, {os.cpu_count()} cores."
    )


if __name__ == "__main__":
    main()
