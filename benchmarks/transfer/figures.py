"""The report's figures, each with its bootstrap interval; claims are drawn, never single pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from claimscope.labels import Label
from claimscope.measures import Interval, Measure
from claimscope.measures import label as label_measures
from claimscope.measures.calibration import calibration_error, risk_coverage_area
from claimscope.measures.contributions import Counts, FloatArray, divide
from claimscope.measures.intervals import bootstrap
from claimscope.measures.measure import DECIDING, Forecast, ForecastData, LabelData, Stance
from transfer.reading import Reading

THREE = (Label.NOT_ENOUGH_INFO, Label.REFUTES, Label.SUPPORTS)
COVERAGE = 0.8


@dataclass(frozen=True, slots=True)
class Answer:
    """The right label and the given one, of a pair or of a whole claim."""

    claim_id: str
    gold: Label
    given: Label


def decided(readings: Sequence[Reading]) -> list[Answer]:
    """Give the labels as the judge decided them, by its own threshold if it has one."""
    return [Answer(each.claim_id, each.gold, each.labels.label) for each in readings if each.gold]


def stances(readings: Sequence[Reading]) -> list[Answer]:
    """Give the likelier of support and refutation, where the truth is one of the two."""
    return [
        Answer(each.claim_id, each.gold, Stance(each.labels.supports, each.labels.refutes).label)
        for each in readings
        if each.gold in DECIDING
    ]


def sure(readings: Sequence[Reading], threshold: float | None) -> list[Answer]:
    """Give the labels SUPPORTS and REFUTES whose probability reaches a threshold; none without."""
    return [
        Answer(each.claim_id, each.gold, each.labels.label)
        for each in readings
        if each.gold
        and each.labels.label in DECIDING
        and threshold is not None
        and each.labels.of(each.labels.label) >= threshold
    ]


def of_claims(gold: Mapping[str, Label], given: Mapping[str, Label]) -> list[Answer]:
    """Put the verdicts on whole claims beside the right ones."""
    return [Answer(name, label, given[name]) for name, label in gold.items() if name in given]


def accuracy(answers: Sequence[Answer]) -> Interval | None:
    """Share of right labels."""
    return _label_interval(answers, label_measures.accuracy)


def macro_f1(answers: Sequence[Answer]) -> Interval | None:
    """F1 averaged over the labels that occur, as right or as given ones."""
    return _label_interval(answers, label_measures.macro_f1)


def binary_f1(answers: Sequence[Answer]) -> Interval | None:
    """F1 of REFUTES."""
    return _label_interval(answers, label_measures.binary_f1)


def majority(answers: Sequence[Answer]) -> Interval | None:
    """Accuracy of always giving the label that is most often right on these very answers."""
    often = Counter(each.gold for each in answers).most_common(1)
    return accuracy([replace(each, given=often[0][0]) for each in answers])


def _label_interval(
    answers: Sequence[Answer], measure: Callable[[LabelData, Measure], Counts]
) -> Interval | None:
    if not answers:
        return None
    names = [str(place) for place in range(len(answers))]
    data = LabelData(
        {name: each.gold for name, each in zip(names, answers, strict=True)},
        {name: each.given for name, each in zip(names, answers, strict=True)},
    )
    counts = measure(data, Measure("of these"))
    return bootstrap(by_claim(counts, [each.claim_id for each in answers]))


def by_claim(counts: Counts, owners: Sequence[str]) -> Counts:
    """Add up the counts of a claim's pairs, which are not independent of each other."""
    places = {name: place for place, name in enumerate(dict.fromkeys(owners))}
    table = np.zeros((len(places), counts.counts.shape[1]))
    np.add.at(table, [places[name] for name in owners], counts.counts)
    return replace(counts, claim_ids=tuple(places), counts=table)


def confidences(readings: Sequence[Reading]) -> ForecastData:
    """Give the probability of the label the judge decided on, and whether that is right."""
    return ForecastData(
        [
            Forecast.of_confidence(
                each.claim_id, each.labels.of(each.labels.label), each.labels.label is each.gold
            )
            for each in readings
            if each.gold
        ]
    )


def likeliest(readings: Sequence[Reading]) -> ForecastData:
    """Give the probability of the likeliest label, whatever the judge's threshold."""
    return ForecastData(
        [
            Forecast.of_probabilities(
                each.claim_id, {label: each.labels.of(label) for label in THREE}, each.gold
            )
            for each in readings
            if each.gold
        ]
    )


def expected_error(data: ForecastData) -> Interval | None:
    """Give the expected calibration error over 15 bins (Guo et al. 2017)."""
    return bootstrap(calibration_error(data, Measure("ECE"))) if data.forecasts else None


def accuracy_at(data: ForecastData, coverage: float = COVERAGE) -> Interval | None:
    """Give the accuracy of the surest decisions that make up this share of all.

    Equal confidences stay together, so that a little more than the share may be covered.
    """
    if not data.forecasts:
        return None
    ranked = risk_coverage_area(data, Measure("AURC"))
    return bootstrap(replace(ranked, formula=partial(_accuracy_from, coverage=coverage)))


def _accuracy_from(
    weight: FloatArray, correct: FloatArray, gold: FloatArray, coverage: float
) -> FloatArray:
    enough = weight >= coverage * weight[-1] - 1e-9
    first = enough.argmax(axis=0)
    samples = np.arange(weight.shape[1])
    return divide(correct[first, samples], weight[first, samples])


def speakers(readings: Sequence[Reading], verdicts: Mapping[str, Label]) -> list[Reading]:
    """Let the document with most evidence speak for its claim; the first one if several have it."""
    best: dict[str, Reading] = {}
    for each in readings:
        known = best.get(each.claim_id)
        if known is None or each.labels.not_enough_info < known.labels.not_enough_info:
            best[each.claim_id] = each
    return [replace(each, gold=verdicts[name]) for name, each in best.items() if name in verdicts]
