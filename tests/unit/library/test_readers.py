"""Readers and a busy writer in two processes: nobody waits, nobody fails."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from claimscope.library.local import LocalLibrary

from .test_crash import BENCHMARK


def test_readers_open_and_search_while_another_process_changes_everything(folder: Path) -> None:
    command = [sys.executable, str(BENCHMARK), "--child", "0", "--folder", str(folder)]
    openings = found = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        try:
            assert writer.stdout is not None
            while writer.stdout.readline() != "0\n":
                pass
            with LocalLibrary(folder) as lasting:
                end = time.monotonic() + 3
                while time.monotonic() < end:
                    with LocalLibrary(folder) as library:
                        openings += 1
                        hits = library.search(["effect measured"], 20)[0]
                    found += len(hits) + len(lasting.search(["effect measured"], 20)[0])
            assert writer.poll() is None
        finally:
            writer.kill()
    assert openings > 20
    assert found > openings
