"""How fast the service answers on the SciFact library: searches and checks, over loopback.

The clients are threads of one process beside the server's, each with a connection it keeps.
The model's own speed, which checks are compared with, is the checker's in batches of 16, with the
same preset. `--minutes 10` goes on with both kinds of requests and says how the memory grows.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from claimscope.checker import Checker
from claimscope.datasets.registry import open_dataset
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.preset import DEFAULT_PRESET
from claimscope.types import Claim

CLIENTS = 8
SEARCHES = 3_000
BATCH = 16
WARM_MINUTES = 1.0
"""What a server takes in its first minute, such as caches that fill, is no growth."""
Request = tuple[str, str, bytes | None]


def main() -> None:
    """Print a table."""
    options = _options()
    dataset = open_dataset("scifact")
    claims = [each.claim.text for each in dataset.claims("dev")]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "library"
        with LocalLibrary(place, create=True) as library:
            library.add(dataset.documents(), merge=False)
            alone = _alone(Checker(library, options.preset), _cycle(claims, options.checks))
        with server(place, options.preset) as (port, memory):
            _load(port, searches(claims, 200))
            print(f"{'':24}{'requests/s':>12}{'p50 ms':>10}{'p99 ms':>10}{'errors':>8}")
            _row("search, 8 clients", _load(port, searches(claims, SEARCHES)))
            speed = _row("check, 8 clients", _load(port, checks(claims, options.checks)))
            print(
                f"checker alone, {options.preset}: {alone:.1f} claims/s; "
                f"the service reaches {speed / alone:.0%}"
            )
            print(f"memory: {memory():.0f} MB")
            if options.minutes:
                _watch(port, claims, memory, options.minutes)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default=DEFAULT_PRESET, help="what claims are checked with")
    parser.add_argument("--checks", type=int, default=600, help="how many claims to check")
    parser.add_argument("--minutes", type=float, default=0.0, help="how long to watch the memory")
    return parser.parse_args()


def _watch(port: int, claims: Sequence[str], memory: Callable[[], float], minutes: float) -> None:
    """Keep the clients busy for minutes and print the memory once a minute, and how it grew."""
    round_of_work = [*searches(claims, 400), *checks(claims, 40)]
    started, told, warm = time.monotonic(), -1, 0.0
    print(f"{'minute':>8}{'memory MB':>12}")
    while (minute := (time.monotonic() - started) / 60) < minutes:
        _load(port, round_of_work)
        if not warm and minute >= min(WARM_MINUTES, minutes / 2):
            warm = memory()
        if int(minute) > told:
            told = int(minute)
            print(f"{told:8d}{memory():12.0f}", flush=True)
    last = memory()
    print(f"from {warm:.0f} MB to {last:.0f} MB in {minutes:g} minutes: {last / warm - 1:+.1%}")


def _alone(checker: Checker, claims: Sequence[str]) -> float:
    started = time.perf_counter()
    for start in range(0, len(claims), BATCH):
        checker.check_many([Claim(text) for text in claims[start : start + BATCH]])
    return len(claims) / (time.perf_counter() - started)


@contextmanager
def server(library: Path, preset: str) -> Iterator[tuple[int, Callable[[], float]]]:
    """Run a service and give its port, and a function that gives its memory in MB."""
    words = [sys.executable, "-m", "claimscope", "serve", "--library", str(library), "--port", "0"]
    words += ["--preset", preset]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            found = re.search(r":(\d+)\b", process.stdout.readline() if process.stdout else "")
            if found is None:
                raise SystemExit("the server did not start")
            status = Path(f"/proc/{process.pid}/status")
            yield int(found.group(1)), lambda: _resident(status.read_text())
        finally:
            process.terminate()


def _resident(status: str) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found.group(1)) / 1000 if found else 0.0


def _load(port: int, requests: Sequence[Request]) -> tuple[float, list[float], int]:
    """Send requests from all clients and give requests a second, times in order, and errors."""
    seconds: list[float] = []
    errors: list[int] = []
    work = iter(requests)
    guard = threading.Lock()

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        while True:
            with guard:
                request = next(work, None)
            if request is None:
                return
            method, path, body = request
            began = time.perf_counter()
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            seconds.append(time.perf_counter() - began)
            if answer.status != 200:
                errors.append(answer.status)

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(requests) / (time.perf_counter() - started), sorted(seconds), len(errors)


def _row(name: str, load: tuple[float, list[float], int]) -> float:
    speed, seconds, errors = load
    middle, late = seconds[len(seconds) // 2] * 1000, seconds[int(len(seconds) * 0.99)] * 1000
    print(f"{name:24}{speed:12.0f}{middle:10.1f}{late:10.1f}{errors:8d}")
    return speed


def searches(claims: Sequence[str], count: int) -> list[Request]:
    """Make searches for claims, from the first again after the last."""
    return [("GET", f"/api/v1/search?q={quote(text)}", None) for text in _cycle(claims, count)]


def checks(claims: Sequence[str], count: int) -> list[Request]:
    """Make checks of claims, from the first again after the last."""
    return [
        ("POST", "/api/v1/check", json.dumps({"claim": text}).encode())
        for text in _cycle(claims, count)
    ]


def _cycle(claims: Sequence[str], count: int) -> list[str]:
    return [claims[number % len(claims)] for number in range(count)]


if __name__ == "__main__":
    main()
