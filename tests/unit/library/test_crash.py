"""A short run of the benchmark that kills writers; `benchmarks/crash_library.py` kills more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "crash_library.py"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_writer_loses_nothing_acknowledged() -> None:
    output = subprocess.run(
        [sys.executable, str(BENCHMARK), "--kills", "8", "--seed", "7"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert output.returncode == 0, output.stdout + output.stderr
