"""How long searches and checks take while many clients send both at once, over loopback.

Clients send without a pause: one check for every three searches. In one check of ten, the
client leaves after a second. A request that the service refuses (503) is counted, not repeated.
The clients are one process beside the server's. Run

    python benchmarks/mixed_load.py [--clients 64 200] [--seconds 300] [--preset claimscope]

At the end the server is stopped while all clients wait for a check, and the time it takes is told.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from claimscope.datasets.registry import open_dataset
from claimscope.library.local import LocalLibrary
from claimscope.pipeline.preset import DEFAULT_PRESET
from service_load import Request, checks, searches, server

LONGEST_ANSWER = 60.0
"""Seconds after which a client takes its request for lost."""
STAY = 1.0
"""Seconds that a client stays which leaves before its answer."""
LEAVING = 0.1
"""The share of checks whose clients leave."""
ENDS = ("refused", "left", "lost", "error")
FILLING = 1.0
"""Seconds that the clients have to fill the queue before the server is stopped."""
STOP_LIMIT = 5.0
"""Seconds that the server may take to stop."""
SEARCH_LIMIT = 0.25
"""Seconds that the 99th of 100 searches may take with 64 clients."""


@dataclass
class Kind:
    """What became of the requests of one kind."""

    seconds: list[float] = field(default_factory=list)
    """The times of the answers, without those of refusals."""
    ends: Counter[str] = field(default_factory=Counter)

    def late(self, share: float) -> float:
        """Give the seconds within which this share of the answers came."""
        times = sorted(self.seconds) or [float("nan")]
        return times[min(len(times) - 1, int(len(times) * share))]

    def row(self, name: str, duration: float, dropped: int | None) -> str:
        """Give a line of the table."""
        times = "".join(f"{self.late(share) * 1000:>10,.0f}" for share in (0.5, 0.95, 0.99))
        gone = "" if dropped is None else f"{dropped:,}"
        ends = [
            self.ends["refused"],
            self.ends["left"],
            gone,
            self.ends["lost"],
            self.ends["error"],
        ]
        counts = "".join(f"{each:>10}" for each in ends)
        return f"{name:20}{len(self.seconds) / duration:>10.1f}{times}{counts}"


class Connection:
    """One client's connection, opened again after it was closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, request: Request) -> tuple[int, bytes]:
        """Send a request and give the status and the body of the answer."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        method, path, body = request
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
        head = "\r\n".join([*lines, f"Content-Length: {len(body or b'')}", "", ""])
        self._writer.write(head.encode() + (body or b""))
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
        content = await self._reader.readexactly(int(length[1])) if length else b""
        return int(answer.split(b" ", 2)[1]), content

    def close(self) -> None:
        """Leave; an answer that is still to come is lost."""
        if self._writer is not None:
            self._writer.close()
        self._writer = None


async def client(
    connection: Connection,
    claims: Sequence[str],
    chance: random.Random,
    end: float,
    kinds: dict[str, Kind],
) -> None:
    """Send requests one after another until the end."""
    while time.monotonic() < end:
        name = chance.choice(("check", "search", "search", "search"))
        [request] = (checks if name == "check" else searches)([chance.choice(claims)], 1)
        leaves = name == "check" and chance.random() < LEAVING
        began = time.perf_counter()
        try:
            async with asyncio.timeout(STAY if leaves else LONGEST_ANSWER):
                status, _ = await connection.ask(request)
        except TimeoutError:
            kinds[name].ends["left" if leaves else "lost"] += 1
            connection.close()
        except (OSError, EOFError):
            kinds[name].ends["error"] += 1
            connection.close()
        else:
            if status == 200:
                kinds[name].seconds.append(time.perf_counter() - began)
            else:
                kinds[name].ends["refused" if status == 503 else "error"] += 1
    connection.close()


async def mixed(port: int, claims: Sequence[str], clients: int, seconds: float) -> dict[str, Kind]:
    """Let clients search and check for some seconds."""
    kinds = {"search": Kind(), "check": Kind()}
    before, end = await dropped(port), time.monotonic() + seconds
    work = [
        client(Connection(port), claims, random.Random(number), end, kinds)
        for number in range(clients)
    ]
    await asyncio.gather(*work)
    print(kinds["search"].row(f"search, {clients} clients", seconds, None))
    gone = await dropped(port) - before
    print(kinds["check"].row(f"check, {clients} clients", seconds, gone), flush=True)
    return kinds


async def dropped(port: int) -> int:
    """Ask the service how many claims it dropped because their clients had left."""
    _, text = await Connection(port).ask(("GET", "/api/v1/metrics", None))
    found = re.search(rb"^claimscope_claims_dropped_total (\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


def fill(port: int, claims: Sequence[str], clients: int) -> None:
    """Let every client ask for a check, and wait until it is answered or the server is gone."""

    async def wait(number: int) -> None:
        with suppress(OSError, EOFError):
            await Connection(port).ask(checks([claims[number % len(claims)]], 1)[0])

    async def all_wait() -> None:
        await asyncio.gather(*(wait(number) for number in range(clients)))

    asyncio.run(all_wait())


def main() -> int:
    """Print the table; the exit code says whether searches were too slow or answers lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[64, 200])
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--preset", default=DEFAULT_PRESET, help="what claims are checked with")
    options = parser.parse_args()
    dataset = open_dataset("scifact")
    claims = [each.claim.text for each in dataset.claims("dev")]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "library"
        with LocalLibrary(place, create=True) as library:
            library.add(dataset.documents(), merge=False)
        heads = ("answers/s", "p50 ms", "p95 ms", "p99 ms", "refused", "left", "dropped", "lost")
        print(" " * 20 + "".join(f"{head:>10}" for head in (*heads, "errors")))
        for clients in options.clients:
            with server(place, options.preset) as (port, _):
                found = asyncio.run(mixed(port, claims, clients, options.seconds))
                waiting = threading.Thread(target=fill, args=(port, claims, clients))
                waiting.start()
                time.sleep(FILLING)
                began = time.perf_counter()
            stopped = time.perf_counter() - began
            waiting.join()
            print(f"stopped with a full queue after {stopped:.1f} s", flush=True)
            failed |= stopped > STOP_LIMIT
            late = clients <= 64 and found["search"].late(0.99) > SEARCH_LIMIT
            failed |= late or any(
                kind.ends["lost"] or kind.ends["error"] for kind in found.values()
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
