"""How long a claim takes to its verdict, warm, on the SciFact library: p50, p95 and memory.

python benchmarks/verifier_speed.py [--preset NAME]... [--claims 60]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time

from claimscope.checker import Checker
from claimscope.datasets.registry import open_dataset
from claimscope.evaluate.corpus import open_corpus
from claimscope.pipeline.preset import DEFAULT_PRESET

WARM_UP = 3


def main() -> None:
    """Print a row a preset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", action="append")
    parser.add_argument("--claims", type=int, default=60)
    options = parser.parse_args()
    dataset = open_dataset("scifact")
    claims = [each.claim.text for each in dataset.claims("dev")][: options.claims + WARM_UP]
    print("| preset | claims | p50 s | p95 s | together, claims/s | peak MB |")
    print("|---|---|---|---|---|---|")
    with open_corpus(dataset) as library:
        for preset in options.preset or [DEFAULT_PRESET]:
            checker = Checker(library, preset)
            for claim in claims[:WARM_UP]:
                checker.check(claim)
            times = []
            for claim in claims[WARM_UP:]:
                started = time.perf_counter()
                checker.check(claim)
                times.append(time.perf_counter() - started)
            started = time.perf_counter()
            checker.check_many([each.claim for each in list(dataset.claims("dev"))[: len(times)]])
            rate = len(times) / (time.perf_counter() - started)
            p95 = statistics.quantiles(times, n=20)[-1]
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"| {preset} | {len(times)} | {statistics.median(times):.3f} | {p95:.3f} | "
                f"{rate:.2f} | {peak:.0f} |"
            )


if __name__ == "__main__":
    main()
