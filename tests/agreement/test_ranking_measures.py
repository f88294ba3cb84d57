"""Our ranking measures against ir-measures, which asks trec_eval."""

from __future__ import annotations

import random

import pytest

from claimscope.measures import evaluate, parse_measure
from claimscope.measures.measure import RankingData

ir_measures = pytest.importorskip("ir_measures", reason="needs ir-measures (extra 'test')")

_THEIR_NAMES = {
    "macro-R@1": "R@1",
    "macro-R@5": "R@5",
    "macro-R@20": "R@20",
    "macro-P@1": "P@1",
    "macro-P@5": "P@5",
    "nDCG@3": "nDCG@3",
    "nDCG@10": "nDCG@10",
    "nDCG": "nDCG",
    "RR": "RR",
    "RR@10": "RR@10",
    "evidence-hit-one@3": "Success@3",
}


def _made_up_data(seed: int) -> RankingData:
    """Make rankings without equal scores, with graded relevance and a claim the run lacks."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(60)]
    qrels = {}
    run = {}
    for number in range(25):
        relevant = chance.sample(documents, chance.randint(1, 6))
        others = chance.sample(documents, 5)
        qrels[f"c{number}"] = {
            **dict.fromkeys(others, 0),
            **{document: chance.randint(1, 3) for document in relevant},
        }
        scores = chance.sample(range(1000), 40)
        ranked = zip(chance.sample(documents, 40), sorted(scores, reverse=True), strict=True)
        run[f"c{number}"] = tuple((document, float(score)) for document, score in ranked)
    del run["c7"]
    run["unjudged"] = (("d1", 1.0),)
    return RankingData(qrels, run)


@pytest.mark.parametrize("seed", range(5))
def test_values_agree(seed: int) -> None:
    data = _made_up_data(seed)
    their_run = {claim: dict(ranking) for claim, ranking in data.run.items()}
    measures = {name: ir_measures.parse_measure(theirs) for name, theirs in _THEIR_NAMES.items()}
    theirs = ir_measures.calc_aggregate(list(measures.values()), data.qrels, their_run)
    for name, measure in measures.items():
        assert evaluate(parse_measure(name), data) == pytest.approx(theirs[measure], abs=1e-9), name
