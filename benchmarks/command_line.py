"""How quickly the command line answers: CPU and wall time of commands a newcomer types."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

COMMANDS = {
    "--help (target: 0.3 s of CPU)": ["--help"],
    "first check, builds the demonstration library": ["check", "Aspirin prevents heart attacks"],
    "check": ["check", "Aspirin prevents heart attacks"],
    "search": ["search", "aspirin"],
}
REPEATS = 5


def measure(words: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Give wall seconds, CPU seconds and peak memory in MB of one command."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "claimscope", *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"claimscope {' '.join(words)} failed")
    cpu = usage.ru_utime + usage.ru_stime
    return time.perf_counter() - started, cpu, usage.ru_maxrss / 1024


def main() -> None:
    """Print a table."""
    print("| command | wall s | CPU s | peak MB |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "XDG_CACHE_HOME": home, "XDG_DATA_HOME": home}
        environment.pop("CLAIMSCOPE_LIBRARY", None)
        for name, words in COMMANDS.items():
            repeats = 1 if name.startswith("first") else REPEATS
            best = min(measure(words, environment) for _ in range(repeats))
            print(f"| {name} | {best[0]:.2f} | {best[1]:.2f} | {best[2]:.0f} |")


if __name__ == "__main__":
    main()
