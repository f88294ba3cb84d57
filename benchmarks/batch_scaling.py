"""Check the same claims with 1, 2 and 4 local workers, and once while a worker is killed.

The claims are SciFact's train and dev claims, repeated with a number where more are asked for; the
library holds SciFact's abstracts. Every worker computes on one thread. Wall-clock time is taken
from the first part that is given out, when all workers have started and read one claim. Where
other jobs use the machine, wall-clock time says little; the CPU time of all processes shows what
the division of the work itself costs. Run

    python benchmarks/batch_scaling.py [--claims 5000] [--workers 1,2,4] [--part-size 8]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import cycle, islice
from pathlib import Path

import psutil

from claimscope.batch.checking import CheckSpec, check_file, check_part
from claimscope.batch.engine import OnCluster, local_workers
from claimscope.batch.parts import Part
from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.corpus import open_corpus
from claimscope.pipeline import preset as presets
from claimscope.types import Claim, ClaimOutcome


@dataclass(frozen=True)
class Result:
    """What one run took, and a checksum of its results."""

    workers: int
    start_seconds: float
    seconds: float
    cpu_seconds: float
    checksum: str
    killed: bool = False


def main() -> None:
    """Run with each number of workers and print the table."""
    options = arguments()
    os.environ["CLAIMSCOPE_THREADS"] = "1"
    with (
        tempfile.TemporaryDirectory() as folder,
        open_corpus(open_dataset("scifact"), None) as papers,
    ):
        claims = Path(folder) / "claims.txt"
        claims.write_text("".join(f"{text}\n" for text in islice(texts(), options.claims)), "utf-8")
        name = options.preset
        text = presets.text_of(name)
        spec = CheckSpec(papers.location, papers.revision, name, text, None, "jsonl")
        runs = [(number, False) for number in options.workers]
        runs.append((max(options.workers), True))
        results = []
        for number, kill in runs:
            log(f"{number} workers{', one is killed' if kill else ''}")
            place = Path(folder) / f"{number}-{kill}"
            results.append(measure(claims, spec, place, number, options.part_size, kill))
    print_table(results, options.claims)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=5_000)
    parser.add_argument("--workers", type=numbers, default=[1, 2, 4])
    parser.add_argument("--part-size", type=int, default=8)
    parser.add_argument("--preset", default=presets.DEFAULT_PRESET)
    return parser.parse_args()


def numbers(text: str) -> list[int]:
    """Read numbers with commas between them."""
    return [int(word) for word in text.split(",")]


def texts() -> Iterator[str]:
    """Give SciFact's claims again and again, each time with another number."""
    dataset = open_dataset("scifact")
    known = [each.claim.text for split in ("train", "dev") for each in dataset.claims(split)]
    yield from known
    for number, text in enumerate(cycle(known), start=2):
        yield f"{text} ({number})"


def measure(
    claims: Path, spec: CheckSpec, output: Path, number: int, part_size: int, kill: bool
) -> Result:
    """Check all claims with so many workers."""
    started = time.perf_counter()
    with local_workers(number) as engine:
        engine.client.wait_for_workers(number)
        warm_up(engine, spec)
        ready, before = time.perf_counter(), cpu()
        killed: list[int] = []

        def on_progress(done: int, total: int) -> None:
            if kill and not killed and done >= total // 3:
                killed.append(next(iter(engine.client.run(os.getpid).values())))
                psutil.Process(killed[0]).kill()

        summary = check_file(claims, spec, output, engine, part_size, on_progress)
        ended, after = time.perf_counter(), cpu()
    digest = blake2b(digest_size=8)
    for path in summary.paths:
        digest.update(path.read_bytes())
    seconds = ended - ready
    return Result(number, ready - started, seconds, after - before, digest.hexdigest(), kill)


def warm_up(engine: OnCluster, spec: CheckSpec) -> None:
    """Let every worker open library and models."""
    part = Part(0, (ClaimOutcome(1, Claim("Aspirin thins blood"), None, None),))
    engine.client.run(check_part, spec, part)


def cpu() -> float:
    """Give the CPU seconds of this process and those under it; a killed one's are lost."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def print_table(results: list[Result], claims: int) -> None:
    """Print times, speed-up and efficiency beside the first run."""
    first = results[0]
    print(f"{claims:,} claims, load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores\n")
    print("| workers | start s | s | claims/s | speed-up | efficiency | CPU s | same bytes |")
    print("|--:|--:|--:|--:|--:|--:|--:|---|")
    for each in results:
        faster = first.seconds / each.seconds
        share = faster * first.workers / each.workers
        same = "yes" if each.checksum == first.checksum else "NO"
        cells = [
            f"{each.workers}{', one killed' if each.killed else ''}",
            f"{each.start_seconds:.1f}",
            f"{each.seconds:.1f}",
            f"{claims / each.seconds:.2f}",
            f"{faster:.2f}",
            f"{share:.0%}",
            "" if each.killed else f"{each.cpu_seconds:.1f}",
            same,
        ]
        print(f"| {' | '.join(cells)} |")


def log(text: str) -> None:
    """Tell what is going on."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
