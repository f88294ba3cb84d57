"""A Dask scheduler and workers as real processes, for tests."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_SECONDS = 60


@dataclass
class Processes:
    """A scheduler and its workers."""

    address: str
    folder: Path
    options: Sequence[str] = ()
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker; it is one process, which nobody starts again."""
        words = ["dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        words += ["--dashboard-address", "127.0.0.1:0", "--host", "127.0.0.1", *self.options]
        self.workers.append(start(words, self.folder))
        return self.workers[-1]


@contextmanager
def dask_processes(folder: Path, workers: int, options: Sequence[str] = ()) -> Iterator[Processes]:
    """Start a scheduler on a free port of the loopback, and workers; end them all."""
    file = folder / "scheduler.json"
    words = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    words += ["--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(file), *options]
    made = Processes("", folder, options, start(words, folder))
    try:
        made.address = _address(file)
        for _ in range(workers):
            made.add_worker()
        yield made
    finally:
        ended = [*made.workers, *filter(None, [made.scheduler])]
        for process in ended:
            process.kill()
        for process in ended:
            process.wait()


def start(words: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start one of Dask's commands, with its log in the folder."""
    module, *arguments = words
    command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
    with (folder / "dask.log").open("ab") as log:
        return subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)


def _address(file: Path) -> str:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        try:
            address: str = json.loads(file.read_text())["address"]
        except (FileNotFoundError, ValueError):
            time.sleep(0.05)
        else:
            return address
    raise TimeoutError(f"no scheduler; see {file.parent / 'dask.log'}")
