"""Whether `--max-error` keeps what it promises: errors tolerated beside errors made.

    claimscope evaluate --dataset scifact --split dev --preset claimscope --output RUN
    python benchmarks/abstention.py RUN

For each tolerated share of wrong labels: the probability the preset then asks an abstract for, how
many abstracts of the kept run reach it, how many of those are no evidence or have the wrong
label (with a 95 % interval over claims), and on how many claims any abstract still speaks.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from claimscope.errors import ConfigurationError
from claimscope.evaluate.folder import RunFolder
from claimscope.measures.intervals import resamples
from claimscope.measures.measure import DECIDING
from claimscope.pipeline import preset as presets
from claimscope.pipeline.preset import with_max_error

TOLERATED = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)


@dataclass(frozen=True, slots=True)
class Spoken:
    """An abstract that speaks on a claim: how surely, and whether what it says is right."""

    probability: float
    is_right: bool


def main() -> None:
    """Print one row per tolerated share."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    folder = RunFolder(parser.parse_args().run)
    # The thresholds are those of the preset that made the run.
    preset = presets.load(folder.info().preset)
    claims = spoken(folder)
    print("| tolerated, % | probability asked for | abstracts | wrong, % | claims spoken on, % |")
    print("|--:|--:|--:|--:|--:|")
    for share in TOLERATED:
        try:
            _, threshold = with_max_error(preset, share)
        except ConfigurationError:
            print(f"| {100 * share:.0f} | refused | – | – | – |")
            continue
        print(f"| {100 * share:.0f} | {threshold:.2f} | {_row(claims, threshold)} |")


def spoken(folder: RunFolder) -> list[list[Spoken]]:
    """Give the abstracts that speak, claim by claim."""
    return [
        [
            Spoken(
                max(each.probabilities.supports, each.probabilities.refutes),
                each.id in gold.evidence and gold.evidence[each.id].evidence.label is each.label,
            )
            for each in case.candidates
            if each.label in DECIDING and each.probabilities is not None
        ]
        for gold, case in folder.pairs()
    ]


def _row(claims: Sequence[Sequence[Spoken]], threshold: float) -> str:
    sure = [[each for each in claim if each.probability >= threshold] for claim in claims]
    counts = np.array([len(each) for each in sure])
    wrong = np.array([sum(not spoke.is_right for spoke in each) for each in sure])
    if not counts.sum():
        return "0 | – | 0.0"
    weights = resamples(len(claims))
    shares = (weights @ wrong) / np.maximum(weights @ counts, 1)
    low, high = 100 * np.quantile(shares, [0.025, 0.975])
    return (
        f"{counts.sum()} | {100 * wrong.sum() / counts.sum():.1f} ({low:.1f}–{high:.1f}) | "
        f"{100 * np.mean(counts > 0):.1f}"
    )


if __name__ == "__main__":
    main()
