"""The climate paper's two grid searches over BM25's k1 and b, on the passages that are here.

    python benchmarks/climate_grid.py

The paper (section 3.2) speaks of two 5 × 5 grids on the first 200 passages and prints neither; the
first grid here is one of ours around its outcome, with the formula it prints. The second is the one
of the authors' code, with rank_bm25's formula, on the first 20. Recall is the mean over claims, as
in their code. Their pool has 1.2 million passages and ours 20,792, so only directions compare.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from claimscope.datasets.registry import open_dataset
from claimscope.errors import ClaimscopeError
from claimscope.measures import Measure, evaluate
from claimscope.measures.measure import RankingData
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.types import Claim

ANALYSER = "lemma-stop"
KEPT = Path(__file__).parent / "climate_grid.json"


@dataclass(frozen=True)
class Grid:
    """Mean recall of each claim's passages, by k1 (rows) and b (columns)."""

    method: str
    depth: int
    k1: Sequence[float]
    b: Sequence[float]
    published: Sequence[Sequence[float | None]] = ()
    """What the authors' code printed, where it did."""
    passages: int = 0
    claims: int = 0
    recall: Sequence[Sequence[float]] = ()


GRIDS = (
    Grid("lucene", 200, (0.5, 0.9, 1.2, 1.5, 2.0), (0.45, 0.6, 0.75, 0.85, 0.95)),
    Grid(
        "okapi",
        20,
        (0.6, 0.7, 0.8, 0.9),
        (0.6, 0.675, 0.75, 0.825, 0.9),
        (
            (None, None, 0.3584, 0.3517, 0.3521),
            (0.3632, 0.3605, 0.3552, 0.3491, 0.3405),
            (0.3593, 0.3538, 0.3510, 0.3410, 0.3268),
            (0.3564, 0.3538, 0.3475, 0.3244, 0.3236),
        ),
    ),
)


def grid_searches() -> list[Grid]:
    """Give the results that were kept."""
    if not KEPT.is_file():
        return []
    return [Grid(**record) for record in json.loads(KEPT.read_text("utf-8"))]


def main() -> None:
    """Search both grids and keep the results."""
    try:
        dataset = open_dataset("climate")
        documents = list(dataset.documents())
        claims = list(dataset.claims("dev"))
    except ClaimscopeError as error:
        raise SystemExit(str(error)) from error
    qrels = {each.claim.id: dict.fromkeys(each.evidence or (), 1) for each in claims}
    queries = [each.claim for each in claims]
    texts, ids = [each.text for each in documents], [each.id for each in documents]
    done = []
    for grid in GRIDS:
        recall = []
        for k1 in grid.k1:
            row = []
            for b in grid.b:
                index = BM25(texts, k1=k1, b=b, method=grid.method, analyser=ANALYSER)
                run = _search(index, ids, queries, grid.depth)
                row.append(evaluate(Measure("macro-R", grid.depth), RankingData(qrels, run)))
                print(
                    f"{grid.method}, k1 = {k1}, b = {b}: R@{grid.depth} {row[-1]:.4f}", flush=True
                )
            recall.append(row)
        record = {**asdict(grid), "passages": len(texts), "claims": len(queries), "recall": recall}
        done.append(record)
    KEPT.write_text(json.dumps(done, indent=1) + "\n", "utf-8")


def _search(
    index: BM25, ids: Sequence[str], claims: Sequence[Claim], depth: int
) -> dict[str, list[tuple[str, float]]]:
    return {
        claim.id: [(ids[place], score) for place, score in index.search(claim.text, depth)]
        for claim in claims
    }


if __name__ == "__main__":
    main()
