"""Import a folder of PDFs into a new library, with full texts, and say how many a minute that is.

The PDFs are read `--times` times, each time under another id. Run

    python benchmarks/pdf_speed.py FOLDER [--times 20]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import tempfile
import time
from pathlib import Path

from claimscope.library.importer import import_files
from claimscope.library.local import LocalLibrary


def _processor_seconds() -> float:
    """Give the computing time of this process and of those that it started and that ended."""
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def main() -> None:
    """Copy the PDFs, import them, and print the rate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=1)
    arguments = parser.parse_args()
    found = sorted(arguments.folder.rglob("*.pdf"))
    with tempfile.TemporaryDirectory() as folder:
        papers = Path(folder, "papers")
        papers.mkdir()
        for number in range(arguments.times):
            for place, path in enumerate(found):
                shutil.copy(path, papers / f"{number}-{place}-{path.name}")
        with LocalLibrary(Path(folder, "library"), create=True) as library:
            load = os.getloadavg()[0]
            begun, used = time.monotonic(), _processor_seconds()
            summary = import_files(library, [papers])
            seconds, used = time.monotonic() - begun, _processor_seconds() - used
            sections = sum(len(item.body) for item in library.documents())
    files = len(found) * arguments.times
    print(
        f"{files} PDFs ({len(found)} different), {seconds:.1f} s, {60 * files / seconds:,.0f} a "
        f"minute; {used:.1f} s of the processor, {60 * files / used:,.0f} a minute of it; "
        f"{len(summary.failures)} failed, {sections} sections in the library; "
        f"load {load:.1f} on {os.cpu_count()} cores."
    )


if __name__ == "__main__":
    main()
