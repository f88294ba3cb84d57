"""Measures of predicted labels against gold labels, ranked labels included."""

from __future__ import annotations

import numpy as np

from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.measures import contributions as aggregates
from claimscope.measures.contributions import (
    Counts,
    FloatArray,
    SortedDecisions,
    counts,
    divide,
    require_known_claims,
)
from claimscope.measures.measure import LabelData, Measure, Part, StanceData

LABELS = tuple(Label)


def _pairs(data: LabelData) -> list[tuple[Label, Label]]:
    """Give gold and predicted label of each claim; every claim must have a prediction."""
    require_known_claims(data.predicted, data.gold)
    missing = next((claim for claim in data.gold if claim not in data.predicted), None)
    if missing is not None:
        raise InputError(
            f"Claim {missing!r} has no predicted label; predict NOT_ENOUGH_INFO to abstain."
        )
    return [(label, data.predicted[claim]) for claim, label in data.gold.items()]


def _of_label(gold: Label, predicted: Label, label: Label) -> tuple[int, int, int]:
    return (gold is predicted is label, predicted is label, gold is label)


def accuracy(data: LabelData, measure: Measure) -> Counts:
    """Right labels over all labels."""
    rows = [(gold is predicted, 1) for gold, predicted in _pairs(data)]
    return counts(list(data.gold), rows, 2, aggregates.ratio)


def one_label(data: LabelData, measure: Measure) -> Counts:
    """Precision, recall or F1 of the label the measure is named after."""
    label = Label(measure.base)
    rows = [_of_label(gold, predicted, label) for gold, predicted in _pairs(data)]
    return counts(list(data.gold), rows, 3, (measure.part or Part.F1).aggregate)


def binary_f1(data: LabelData, measure: Measure) -> Counts:
    """F1 of REFUTES, which Pradeep et al. 2021 (VerT5erini) call F1-Binary."""
    return one_label(data, Measure(Label.REFUTES.value, part=Part.F1))


def macro_f1(data: LabelData, measure: Measure) -> Counts:
    """F1 of each label, averaged over the labels that occur in gold or predictions."""
    rows = [
        [count for label in LABELS for count in _of_label(gold, predicted, label)]
        for gold, predicted in _pairs(data)
    ]
    return counts(list(data.gold), rows, 3 * len(LABELS), _macro_f1)


def _macro_f1(sums: FloatArray) -> FloatArray:
    each = sums.reshape(*sums.shape[:-1], len(LABELS), 3)
    occurs = (each[..., 1] + each[..., 2]) > 0
    return divide((aggregates.f1(each) * occurs).sum(axis=-1), occurs.sum(axis=-1).astype(float))


def confusion(data: LabelData) -> dict[tuple[Label, Label], int]:
    """Count the claims of each gold and predicted label, the pairs that occur only."""
    table = np.zeros((len(LABELS), len(LABELS)), dtype=int)
    for gold, predicted in _pairs(data):
        table[LABELS.index(gold), LABELS.index(predicted)] += 1
    return {
        (gold, predicted): int(table[i, j])
        for i, gold in enumerate(LABELS)
        for j, predicted in enumerate(LABELS)
        if table[i, j]
    }


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
