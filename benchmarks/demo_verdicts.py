"""Verdicts on 40 claims over the demonstration library, beside what a person expects.

    python benchmarks/demo_verdicts.py [--preset NAME]

The claims and the expected verdicts were written before any verifier was trained.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from claimscope.checker import Checker
from claimscope.claims.reading import read_claim
from claimscope.library.location import DEMO, open_library
from claimscope.pipeline.preset import DEFAULT_PRESET

CLAIMS = Path(__file__).with_name("demo_claims.jsonl")


def main() -> None:
    """Print one row per claim, and how many are right by expected verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default=DEFAULT_PRESET)
    options = parser.parse_args()
    rows = [json.loads(line) for line in CLAIMS.read_text("utf-8").splitlines()]
    with open_library(DEMO) as library:
        checker = Checker(library, options.preset)
        cases = checker.check_many([read_claim(row["claim"]) for row in rows])
    right: Counter[str] = Counter()
    print("| claim | expected | verdict | |\n|---|---|---|---|")
    for row, case in zip(rows, cases, strict=True):
        found = case.verdict.label.verdict if case.verdict else "none"
        agrees = found == row["expected"]
        right[row["expected"]] += agrees
        print(f"| {row['claim']} | {row['expected']} | {found} | {'' if agrees else 'differs'} |")
    total = Counter(row["expected"] for row in rows)
    shares = ", ".join(f"{name} {right[name]} of {total[name]}" for name in total)
    print(f"\n{sum(right.values())} of {len(rows)} as expected: {shares}.")


if __name__ == "__main__":
    main()
