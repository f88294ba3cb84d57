"""Add abstracts to a folder and to one Qdrant server, and print what a paper costs in each.

`claimscope plan` reckons with these numbers. The abstracts are SciFact's, then PubMed's (see
library_scale.py). The Qdrant server is the program that $CLAIMSCOPE_TEST_QDRANT names, started on
free ports of the loopback. Disk and memory are what the second half of the papers adds, so that
what an empty server takes does not count; memory is what is not a copy of a file. Run

    python benchmarks/library_sizes.py [--papers 10000] [--vectors static|none]
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import psutil

from claimscope.library import Library, open_library
from library_scale import read_corpora

CACHED = Path.home() / ".cache" / "claimscope-tests" / "qdrant-1.16.3" / "qdrant"
_SETTLE = 10
"""Seconds in which the server finishes its index."""


def main() -> None:
    """Add to both and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=10_000)
    parser.add_argument("--vectors", default="static")
    options = parser.parse_args()
    print("| library | papers | papers/s | CPU s/1,000 | disk bytes/paper | server bytes/paper |")
    print("|---|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "library"
        with closing(open_library(str(place), create=True, write=True)) as library:
            show("folder", fill(library, options.papers, place, None))
        with server(Path(folder) / "qdrant") as (process, address):
            url = f"qdrant://{address}/papers?vectors={options.vectors}"
            with closing(open_library(url, create=True, write=True)) as library:
                cost = fill(library, options.papers, Path(folder) / "qdrant", process)
            show(f"Qdrant, {options.vectors} vectors", cost)
    print(f"\nload average {os.getloadavg()[0]:.1f}")


@dataclass(frozen=True)
class Cost:
    """What it took to add so many papers."""

    papers: int
    seconds: float
    cpu_seconds: float
    disk: float
    """Bytes a paper, as the next."""
    memory: float | None


def fill(library: Library, papers: int, folder: Path, server: psutil.Process | None) -> Cost:
    """Add papers in two halves."""
    processes = [psutil.Process(), *filter(None, [server])]
    corpus = read_corpora()
    library.add(islice(corpus, papers // 2))
    time.sleep(_SETTLE if server else 0)
    first, disk, memory = len(library), size_of(folder), anonymous(server)
    started, cpu = time.perf_counter(), cpu_of(processes)
    library.add(islice(corpus, papers - papers // 2))
    added = len(library) - first
    seconds = time.perf_counter() - started
    time.sleep(_SETTLE if server else 0)
    return Cost(
        len(library),
        seconds * len(library) / added,
        (cpu_of(processes) - cpu) * len(library) / added,
        (size_of(folder) - disk) / added,
        (anonymous(server) - memory) / added if server else None,
    )


def anonymous(process: psutil.Process | None) -> int:
    """Give the memory of a process, in bytes, that is not a copy of a file."""
    if process is None:
        return 0
    status = Path(f"/proc/{process.pid}/status").read_text()
    [kilobytes] = re.findall(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
    return int(kilobytes) * 1024


def cpu_of(processes: list[psutil.Process]) -> float:
    """Give the CPU seconds of processes."""
    return sum(sum(each.cpu_times()[:2]) for each in processes)


@contextmanager
def server(folder: Path) -> Iterator[tuple[psutil.Process, str]]:
    """Start a Qdrant server of its own."""
    folder.mkdir()
    http, grpc = free_port(), free_port()
    environment = {
        "QDRANT__SERVICE__HOST": "127.0.0.1",
        "QDRANT__SERVICE__HTTP_PORT": str(http),
        "QDRANT__SERVICE__GRPC_PORT": str(grpc),
        "QDRANT__TELEMETRY_DISABLED": "true",
    }
    program = os.environ.get("CLAIMSCOPE_TEST_QDRANT", str(CACHED))
    quiet = subprocess.DEVNULL
    running = subprocess.Popen([program], cwd=folder, env=environment, stdout=quiet, stderr=quiet)
    try:
        for _ in range(600):
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{http}/readyz"):
                break
            time.sleep(0.1)
        yield psutil.Process(running.pid), f"127.0.0.1:{http}"
    finally:
        running.kill()
        running.wait()


def free_port() -> int:
    """Give a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def size_of(folder: Path) -> int:
    """Give the bytes that a folder takes on the disk; of sparse files, only what is filled."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def show(name: str, cost: Cost) -> None:
    """Print a row."""
    rate, each = cost.papers / cost.seconds, 1000 * cost.cpu_seconds / cost.papers
    cells = [name, f"{cost.papers:,}", f"{rate:,.0f}", f"{each:.2f}", f"{cost.disk:,.0f}"]
    cells.append("" if cost.memory is None else f"{cost.memory:,.0f}")
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
