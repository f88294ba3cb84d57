"""The climate paper's grid search over BM25's k1 and b, on the passages that are here.

The paper tunes on the first 200 of 1.2 million passages and does not print its grid, only the
outcome: k1 = 0.5, b = 0.85 in place of 1.2 and 0.75. Our pool of 20,792 passages holds every gold
passage, so all recalls are far higher than on the whole; only the direction can be compared.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from claimscope.datasets.registry import open_dataset
from claimscope.errors import ClaimscopeError
from claimscope.measures import Measure, evaluate
from claimscope.measures.measure import RankingData
from claimscope.stages.retrieve.bm25 import BM25
from claimscope.types import Claim

K1 = (0.5, 0.9, 1.2, 1.5, 2.0)
B = (0.45, 0.6, 0.75, 0.85, 0.95)
DEPTH = 200
KEPT = Path(__file__).parents[1] / ".benchmarks" / "reproduction" / "climate-grid.json"


@dataclass(frozen=True)
class Grid:
    """Mean recall of each claim's passages in the first 200, by k1 (rows) and b (columns)."""

    passages: int
    claims: int
    recall: Sequence[Sequence[float]]


def grid_search() -> Grid | None:
    """Search the grid, or take the result that was kept; None if the data are not here."""
    if KEPT.is_file():
        record = json.loads(KEPT.read_text("utf-8"))
        if (record["k1"], record["b"]) == (list(K1), list(B)):
            return Grid(record["passages"], record["claims"], record["recall"])
    try:
        dataset = open_dataset("climate")
        documents = list(dataset.documents())
        claims = list(dataset.claims("dev"))
    except ClaimscopeError:
        return None
    qrels = {each.claim.id: dict.fromkeys(each.evidence or (), 1) for each in claims}
    queries = [each.claim for each in claims]
    texts, ids = [each.text for each in documents], [each.id for each in documents]
    recall = []
    for k1 in K1:
        row = []
        for b in B:
            run = _search(BM25(texts, k1=k1, b=b), ids, queries)
            row.append(evaluate(Measure("macro-R", DEPTH), RankingData(qrels, run)))
            print(f"climate grid: k1 = {k1}, b = {b}: macro-R@{DEPTH} {row[-1]:.4f}")
        recall.append(row)
    found = Grid(len(texts), len(queries), recall)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps({"k1": K1, "b": B, **vars(found)}), "utf-8")
    return found


def _search(
    index: BM25, ids: Sequence[str], claims: Sequence[Claim]
) -> dict[str, list[tuple[str, float]]]:
    return {
        claim.id: [(ids[place], score) for place, score in index.search(claim.text, DEPTH)]
        for claim in claims
    }
