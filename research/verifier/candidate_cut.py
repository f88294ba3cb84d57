"""How much evidence a cut at a share of the best score loses, and how many candidates it saves.

    python research/verifier/candidate_cut.py [--split train] [--vectors WEIGHT]

For every number of candidates and every share of the best score below which the others are left
out: the recall of SciFact's evidence abstracts, and how many candidates a claim is left with. The
score is BM25's, or with a weight of vectors that of the stage rerank.vectors.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np

from recipe.pools import ClaimPool, VectorRanking, open_pool

NUMBERS = (3, 5, 10, 20)
SHARES = (0.0, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)


def main() -> None:
    """Print one row per number of candidates and share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", default="train")
    parser.add_argument("--vectors", type=float, metavar="WEIGHT", help="of rerank.vectors")
    options = parser.parse_args()
    vectors = None if options.vectors is None else VectorRanking(weight=options.vectors)
    pool = open_pool("scifact", max(NUMBERS), options.split, vectors)
    print("| candidates | share | recall | a claim, mean | median |")
    print("|--:|--:|--:|--:|--:|")
    for number, share in product(NUMBERS, SHARES):
        found, wanted, counts = _kept(pool, number, share)
        print(
            f"| {number} | {share:g} | {100 * found / wanted:.1f} | {np.mean(counts):.1f} | "
            f"{np.median(counts):.0f} |"
        )


def _kept(pool: ClaimPool, number: int, share: float) -> tuple[int, int, list[int]]:
    """Give how many evidence abstracts are kept, how many there are, and candidates a claim."""
    found, wanted, counts = 0, 0, []
    for claim in pool.claims:
        # Scores of a pool are shares of the best one.
        ranked = list(pool.ranked[claim.claim.id].items())[:number]
        kept = {name for name, score in ranked if score >= share}
        evidence = set(claim.evidence or ())
        found += len(kept & evidence)
        wanted += len(evidence)
        counts.append(len(kept))
    return found, wanted, counts


if __name__ == "__main__":
    main()
