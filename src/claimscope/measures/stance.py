"""SciFact-Open's label-aware average precision (Wadden et al. 2022, section 5).

All claim-document pairs are ranked by the likelier of support and contradiction; a pair is right if
that label is the gold label. Gold pairs that were never considered lower recall. Equal scores are
one step of the curve.
"""

from __future__ import annotations

import numpy as np

from claimscope.measures.aggregates import FloatArray, divide
from claimscope.measures.contributions import SortedDecisions, require_known_claims
from claimscope.measures.measure import Measure
from claimscope.measures.records import StanceData


def label_aware_average_precision(data: StanceData, measure: Measure) -> SortedDecisions:
    """Rank the decisions over all claims."""
    require_known_claims(data.predicted, data.gold)
    owner: list[int] = []
    score: list[float] = []
    correct: list[bool] = []
    for position, (claim_id, gold) in enumerate(data.gold.items()):
        for document, stance in data.predicted.get(claim_id, {}).items():
            evidence = gold.get(document)
            owner.append(position)
            score.append(stance.score)
            correct.append(evidence is not None and evidence.label is stance.label)
    relevant = [sum(each.decides for each in gold.values()) for gold in data.gold.values()]
    return SortedDecisions(
        tuple(data.gold),
        np.array(owner, dtype=np.intp),
        np.array(score, dtype=np.float64),
        np.array(correct, dtype=np.float64),
        np.array(relevant, dtype=np.float64),
        _average_precision,
    )


def _average_precision(weight: FloatArray, correct: FloatArray, gold: FloatArray) -> FloatArray:
    precision = divide(correct, weight)
    gained = np.diff(correct, axis=0, prepend=0.0)
    return divide((precision * gained).sum(axis=0), gold)
