"""Attack the library, the readers and the service, and count what does not hold.

- kills: a writer is killed at random moments; then every text must be its newest version
  (`crash_library.py`)
- fuzzed inputs: files of every format, cut, mixed and mutated; a reader may raise nothing
- adversarial files: text made to be slow, in every reader; more than 2 seconds of computing time
  per MB is a finding
- hostile requests: schemathesis with a valid token over every operation; a status that is not
  documented, or an answer that is not of its schema, is a finding

Run from the repository, with the extra "test":

    python benchmarks/attack.py [--kills 1000] [--inputs 1000000] [--requests 100]
"""

# The paths of the tests and of the other benchmark are set before these are imported.
# ruff: noqa: E402

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from tests.unit.ingest.test_detect import SAMPLES
from tests.unit.test_linear_time import (
    FRAGMENTS,
    LENGTH,
    SECONDS_OF_ANY_FILE,
    SECONDS_PER_MEGABYTE,
    SECONDS_PER_RECORD,
    files,
)

from claimscope.errors import ClaimscopeError
from claimscope.ingest import FORMATS, read
from crash_library import torture

_LONGEST_MIX = 4_000


@dataclass
class Row:
    """One line of the table."""

    name: str
    count: int = 0
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0


def kills(count: int, seed: int) -> Row:
    """Kill a writer, again and again."""
    if not count:
        return Row("kills")
    tally = torture(count, seed)
    return Row("kills", tally.kills, tally.problems)


def fuzzed(count: int, seed: int) -> Row:
    """Read mutated files of every format, each also as every other format."""
    row, chance = Row("fuzzed inputs"), random.Random(seed)
    names = list(FORMATS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        while row.count < count:
            content = mutated(chance)
            path.write_bytes(content)
            forced = chance.choice([None, *names])
            row.count += 1
            try:
                with suppress(ClaimscopeError):
                    for _ in read([path], format=forced):
                        pass
            except Exception as error:  # noqa: BLE001 - any error at all is a finding
                row.findings.append(f"{forced}: {type(error).__name__}: {error}: {content[:80]!r}")
    return row


def mutated(chance: random.Random) -> bytes:
    """Give a sample file, cut, mixed with another one, and with bytes changed."""
    samples = [each if isinstance(each, bytes) else each.encode() for each in _samples()]
    content = bytearray(chance.choice(samples))
    for _ in range(chance.randrange(8)):
        place = chance.randrange(len(content) + 1)
        match chance.randrange(5):
            case 0:
                del content[place : place + chance.randrange(1, 40)]
            case 1:
                content[place:place] = chance.choice(FRAGMENTS).encode() * chance.randrange(1, 20)
            case 2:
                content[place:place] = chance.randbytes(chance.randrange(1, 9))
            case 3:
                other = chance.choice(samples)
                start = chance.randrange(len(other) + 1)
                content[place:place] = other[start : start + 200]
            case _ if content:
                content[place % len(content)] ^= 1 << chance.randrange(8)
    return bytes(content[:_LONGEST_MIX])


def _samples() -> list[Any]:
    return list(SAMPLES.values() if isinstance(SAMPLES, dict) else [row[-1] for row in SAMPLES])


def adversarial(fragments: int) -> Row:
    """Read text made to be slow."""
    row = Row("adversarial files")
    with tempfile.TemporaryDirectory() as folder:
        for fragment in FRAGMENTS[:fragments]:
            for name, content in files((fragment * LENGTH)[:LENGTH]).items():
                path = Path(folder) / name
                path.write_text(content, encoding="utf-8")
                began = time.process_time()
                records = sum(1 for _ in read([path]))
                taken = time.process_time() - began
                allowed = SECONDS_PER_MEGABYTE * path.stat().st_size / 1e6
                allowed += SECONDS_PER_RECORD * records + SECONDS_OF_ANY_FILE
                row.count += 1
                if taken > allowed:
                    row.findings.append(f"{name} of {fragment!r}: {taken:.1f} s")
    return row


def requests(examples: int, seed: int) -> Row:
    """Send what fits the service's description, and what does not, to every operation."""
    row = Row("hostile requests")
    if not examples:
        return row
    for operation, mode in _operations():
        _ask(operation, mode, examples, seed, row)
    return row


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


def attack(works: list[Callable[[], Row]]) -> list[Row]:
    """Run attacks one after another."""
    rows = []
    for work in works:
        began = time.perf_counter()
        row = work()
        row.seconds = time.perf_counter() - began
        rows.append(row)
    return rows


def main() -> int:
    """Print the table; the exit code says whether there were findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--fragments", type=int, default=len(FRAGMENTS))
    parser.add_argument("--requests", type=int, default=100, help="for each operation and mode")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows = attack(
        [
            lambda: kills(options.kills, options.seed),
            lambda: fuzzed(options.inputs, options.seed),
            lambda: adversarial(options.fragments),
            lambda: requests(options.requests, options.seed),
        ]
    )
    print(f"{'':20}{'count':>12}{'findings':>10}{'seconds':>10}")
    for row in rows:
        print(f"{row.name:20}{row.count:>12,}{len(row.findings):>10,}{row.seconds:>10.0f}")
    for row in rows:
        for finding in row.findings[:20]:
            print(finding)
    return 1 if any(row.findings for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
