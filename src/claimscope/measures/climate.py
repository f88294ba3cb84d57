"""The climate task's evidence F, label accuracy A, and their harmonic mean H.

The rules are those of the COMP90042 task's own scorer: evidence F of each claim, averaged; label
accuracy whatever the evidence; H from the two averages. A passage predicted twice counts twice as
predicted. The scorer leaves a claim without prediction out of both averages; here it scores 0, so
that leaving out hard claims cannot pay.
"""

from __future__ import annotations

from claimscope.measures import contributions as aggregates
from claimscope.measures.contributions import (
    Counts,
    FloatArray,
    counts,
    divide,
    require_known_claims,
)
from claimscope.measures.measure import Measure
from claimscope.measures.records import Answer, AnswerData


def _evidence_f(gold: Answer, predicted: Answer) -> float:
    chosen = set(predicted.evidence)
    correct = sum(passage in chosen for passage in gold.evidence)
    total = len(predicted.evidence) + len(gold.evidence)
    return 2 * correct / total if total else 0.0


def _rows(data: AnswerData) -> list[tuple[float, float, float]]:
    """Give evidence F, right label and 1 for each claim."""
    require_known_claims(data.predicted, data.gold)
    return [
        (_evidence_f(gold, answer), gold.label is answer.label, 1)
        if (answer := data.predicted.get(claim_id))
        else (0.0, 0.0, 1)
        for claim_id, gold in data.gold.items()
    ]


def climate(data: AnswerData, measure: Measure) -> Counts:
    """Compute the measure that the last letter of its name says."""
    formula = {"climate-F": _mean_f, "climate-A": _mean_a, "climate-H": _harmonic}[measure.base]
    return counts(list(data.gold), _rows(data), 3, formula)


def _mean_f(sums: FloatArray) -> FloatArray:
    return divide(sums[..., 0], sums[..., 2])


def _mean_a(sums: FloatArray) -> FloatArray:
    return divide(sums[..., 1], sums[..., 2])


def _harmonic(sums: FloatArray) -> FloatArray:
    return aggregates.harmonic_mean(_mean_f(sums), _mean_a(sums))
