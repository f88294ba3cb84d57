"""Attack the library, the readers and the service, and count what does not hold.

- kills: a writer is killed at random moments; then every text must be its newest version
  (`crash_library.py`)
- fuzzed inputs: files of every format, cut, mixed and mutated; a reader may not raise, stop, hang
  or meet an error that it did not foresee (`fuzz_readers.py`)
- adversarial files: text made to be slow, in every reader; more than 2 seconds of computing time
  per MB is a finding
- hostile requests: schemathesis with a valid token over every operation; a status that is not
  documented, or an answer that is not of its schema, is a finding

Run from the repository, with the extra "test":

    python benchmarks/attack.py [--kills 1000] [--inputs 1000000] [--requests 100] [--record FILE]

Ctrl-C ends it with the table of what was done. With a record, the same command goes on from there.
"""

# The paths of the tests and of the other benchmark are set before these are imported.
# ruff: noqa: E402

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from tests.unit.test_linear_time import (
    FRAGMENTS,
    LENGTH,
    SECONDS_OF_ANY_FILE,
    SECONDS_PER_MEGABYTE,
    SECONDS_PER_RECORD,
    files,
)

from claimscope.ingest import read
from crash_library import Tally, torture
from fuzz_readers import fuzz

KILLS_OF_ONE_LIBRARY = 50


@dataclass
class Row:
    """One line of the table."""

    name: str
    count: int = 0
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    units: int = 0
    """Parts of the work that are complete, where they are not the count."""


def kills(row: Row, count: int, seed: int) -> Iterator[None]:
    """Kill a writer, again and again."""
    while row.count < count:
        before, tally = row.count, Tally()
        try:
            torture(min(KILLS_OF_ONE_LIBRARY, count - before), seed + before, tally)
        finally:
            row.count = before + tally.kills
            row.findings += tally.problems
        yield


def fuzzed(row: Row, count: int, seed: int) -> Iterator[None]:
    """Read mutated files of every format, each also as every other format."""
    for done, findings in fuzz(count - row.count, f"{seed}-{row.count}"):
        row.count += done
        row.findings += findings
        yield


def adversarial(row: Row, fragments: int) -> Iterator[None]:
    """Read text made to be slow."""
    with tempfile.TemporaryDirectory() as folder:
        for fragment in FRAGMENTS[row.units : fragments]:
            for name, content in files((fragment * LENGTH)[:LENGTH]).items():
                path = Path(folder) / name
                path.write_bytes(content)
                began = time.process_time()
                records = sum(1 for _ in read([path]))
                taken = time.process_time() - began
                allowed = SECONDS_PER_MEGABYTE * path.stat().st_size / 1e6
                allowed += SECONDS_PER_RECORD * records + SECONDS_OF_ANY_FILE
                row.count += 1
                if taken > allowed:
                    row.findings.append(f"{name} of {fragment!r}: {taken:.1f} s")
            row.units += 1
            yield


def requests(row: Row, examples: int, seed: int) -> Iterator[None]:
    """Send what fits the service's description, and what does not, to every operation."""
    if not examples:
        return
    for number, (operation, mode) in enumerate(_operations()):
        if number >= row.units:
            _ask(operation, mode, examples, seed, row)
            row.units += 1
            yield


def _operations() -> Iterator[tuple[Any, Any]]:
    import schemathesis
    from tests.unit.service.running import make_library, running

    from claimscope.service.jobs.tokens import Scope
    from claimscope.service.settings import Settings
    from claimscope.service.state import open_service

    with tempfile.TemporaryDirectory() as parent:
        folder = make_library(Path(parent) / "library")
        with open_service(Settings(folder)) as service:
            token = service.tokens.create("admin", Scope.ADMIN)
        with running(Settings(folder, host="0.0.0.0")) as started:
            given = {"auth": {"openapi": {"HTTPBearer": {"bearer": token}}}}
            config = schemathesis.Config.from_dict(given)
            address = f"{started.address}/api/v1/openapi.json"
            described = schemathesis.openapi.from_url(address, config=config)
            for found in described.get_all_operations():
                for mode in schemathesis.GenerationMode:
                    yield found.ok(), mode


def _ask(operation: Any, mode: Any, examples: int, seed: int, row: Row) -> None:
    import hypothesis
    from hypothesis.errors import Unsatisfiable
    from schemathesis import checks

    few = hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    @hypothesis.seed(seed)
    @few
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        row.count += 1
        case.call_and_validate(excluded_checks=[checks.positive_data_acceptance])

    try:
        check()
    except Unsatisfiable:
        # Where nothing is asked for, nothing can be asked for wrongly.
        return
    except Exception as error:  # noqa: BLE001 - any error at all is a finding
        row.findings.append(f"{operation.label}: {error}")


def attack(works: dict[str, Callable[[Row], Iterator[None]]], record: Path | None) -> list[Row]:
    """Run attacks one after another, from where the record says; Ctrl-C ends them."""
    rows = [Row(name) for name in works]
    if record is not None and record.is_file():
        rows = [Row(**each) for each in json.loads(record.read_text("utf-8"))]
    with suppress(KeyboardInterrupt):
        for row, work in zip(rows, works.values(), strict=True):
            for _ in timed(row, work(row)):
                print(f"\r{row.name}: {row.count:,} ", end="", file=sys.stderr, flush=True)
                save(rows, record)
    print(file=sys.stderr)
    save(rows, record)
    return rows


def timed(row: Row, steps: Iterator[None]) -> Iterator[None]:
    """Count the seconds of each step, the last one that was interrupted included."""
    while True:
        began = time.perf_counter()
        try:
            next(steps)
        except StopIteration:
            return
        finally:
            row.seconds += time.perf_counter() - began
        yield


def save(rows: list[Row], record: Path | None) -> None:
    """Write down how far the attacks are."""
    if record is not None:
        part = record.with_name(f"{record.name}.part")
        part.write_text(json.dumps([asdict(row) for row in rows]), "utf-8")
        part.replace(record)


def table(rows: list[Row]) -> Iterator[str]:
    """Give the lines of the table, then the findings."""
    yield f"{'':20}{'count':>12}{'findings':>10}{'seconds':>10}{'a second':>10}"
    for row in rows:
        rate = row.count / row.seconds if row.seconds else 0.0
        counts = f"{row.count:>12,}{len(row.findings):>10,}{row.seconds:>10,.0f}{rate:>10,.1f}"
        yield f"{row.name:20}{counts}"
    for row in rows:
        yield from row.findings[:20]


def main() -> int:
    """Print the table; the exit code says whether there were findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--fragments", type=int, default=len(FRAGMENTS))
    parser.add_argument("--requests", type=int, default=100, help="for each operation and mode")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, help="a file to stop and to go on with")
    options = parser.parse_args()
    works = {
        "kills": lambda row: kills(row, options.kills, options.seed),
        "fuzzed inputs": lambda row: fuzzed(row, options.inputs, options.seed),
        "adversarial files": lambda row: adversarial(row, options.fragments),
        "hostile requests": lambda row: requests(row, options.requests, options.seed),
    }
    rows = attack(works, options.record)
    print("\n".join(table(rows)))
    return 1 if any(row.findings for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
