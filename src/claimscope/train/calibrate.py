"""Temperature and thresholds, fitted on held-out claims of the training data and never on dev."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.measures import (
    Interval,
    Measure,
    Part,
    bootstrap,
    contributions,
    evaluate,
    parse_measure,
)
from claimscope.measures.evidence import COUNTING
from claimscope.measures.records import EvidenceData, Forecast, ForecastData, PredictedEvidence
from claimscope.models.joint import Abstract, JointVerifier
from claimscope.train.pairs import CLASSES, Target, target_of
from claimscope.train.pools import ClaimPool

MEASURES = tuple(Measure(name, part=Part.F1) for name in COUNTING)
"""The four measures of SciFact."""
GRID = (*(round(0.05 * step, 2) for step in range(1, 20)), 0.97, 0.98, 0.99)
_MOST_SENTENCES = 3
_ROUNDS = 2
_COLDEST, _HOTTEST = math.log(0.1), math.log(10)
_GOLDEN = (math.sqrt(5) - 1) / 2

_ORDER = tuple(Label[name] for name in CLASSES)

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Judgements:
    """What a verifier says of the documents of held-out claims, and what is right."""

    pool: ClaimPool
    names: Sequence[tuple[str, str]]
    """Claim and document of each row."""
    labels: Matrix
    """Probabilities in the order of the classes."""
    sentences: Sequence[Sequence[float]]
    targets: Sequence[Target]


def judge(verifier: JointVerifier, pool: ClaimPool) -> Judgements:
    """Let a verifier judge the candidates of each claim, and its evidence."""
    names, abstracts, targets = [], [], []
    for claim in pool.claims:
        evidence = claim.evidence or {}
        for name in dict.fromkeys((*pool.ranked[claim.claim.id], *evidence)):
            if pool.has_text(name):
                document, gold = pool.documents[name], evidence.get(name)
                names.append((claim.claim.id, name))
                abstracts.append(Abstract(claim.claim.text, document.title, document.sentences))
                label = gold.label if gold else None
                targets.append(target_of(label or Label.NOT_ENOUGH_INFO))
    if not names:
        raise ConfigurationError("No claims are held out to calibrate on; set 'fold' in [joint].")
    found = verifier.verify(abstracts)
    rows = [[each.labels.of(label) for label in _ORDER] for each in found]
    sentences = [[score.raw for score in each.sentences] for each in found]
    return Judgements(pool, names, np.array(rows), sentences, targets)


def fit_temperature(probabilities: Matrix, targets: Sequence[int]) -> float:
    """Find the temperature of least negative log-likelihood (Guo et al. 2017, section 4.2)."""
    logits = np.log(np.clip(probabilities, 1e-12, 1.0))
    rows = np.arange(len(targets))

    def loss(log_temperature: float) -> float:
        scaled = logits / math.exp(log_temperature)
        total = np.logaddexp.reduce(scaled, axis=1)
        return float(np.mean(total - scaled[rows, np.asarray(targets)]))

    return math.exp(_minimum(loss, _COLDEST, _HOTTEST))


def _minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Find the minimum of a function that first falls and then rises, by the golden section."""
    while high - low > 1e-4:
        first, second = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, second) if function(first) < function(second) else (first, high)
    return (low + high) / 2


def at_temperature(probabilities: Matrix, temperature: float) -> Matrix:
    """Give the probabilities the same logits have at a temperature."""
    scaled = np.log(np.clip(probabilities, 1e-12, 1.0)) / temperature
    return np.exp(scaled - np.logaddexp.reduce(scaled, axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From where an abstract counts as evidence, and a sentence as part of it."""

    evidence: float
    sentence: float


def predict(judgements: Judgements, labels: Matrix, thresholds: Thresholds) -> EvidenceData:
    """Give what would be handed to SciFact's scorer; open setting, so candidates only."""
    pool = judgements.pool
    gold = {claim.claim.id: claim.evidence or {} for claim in pool.claims}
    predicted: dict[str, dict[str, PredictedEvidence]] = {name: {} for name in gold}
    rows = zip(judgements.names, labels, judgements.sentences, strict=True)
    for (claim, document), row, sentences in rows:
        if document not in pool.ranked[claim] or 1 - row[2] < thresholds.evidence:
            continue
        label = Label.SUPPORTS if row[0] >= row[1] else Label.REFUTES
        chosen = _chosen(sentences, thresholds.sentence)
        predicted[claim][document] = PredictedEvidence(label, chosen)
    return EvidenceData(gold, predicted)


def _chosen(scores: Sequence[float], threshold: float) -> tuple[int, ...]:
    """Take at most three sentences that reach the threshold, and at least the best one."""
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    kept = [index for index in order[:_MOST_SENTENCES] if scores[index] >= threshold]
    return tuple(kept or order[:1])


def fit_thresholds(judgements: Judgements, labels: Matrix) -> Thresholds:
    """Find the thresholds with the best mean of the four F1 values, one after the other, twice."""

    def value(evidence: float, sentence: float) -> float:
        data = predict(judgements, labels, Thresholds(evidence, sentence))
        return sum(evaluate(measure, data) for measure in MEASURES)

    evidence, sentence = 0.5, 0.4
    for _ in range(_ROUNDS):
        evidence = max(GRID, key=lambda each: value(each, sentence))
        sentence = max(GRID, key=lambda each: value(evidence, each))
    return Thresholds(evidence, sentence)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was fitted, and how good the verifier is on the claims it was fitted on."""

    temperature: float
    thresholds: Thresholds
    claims: int
    measured: dict[str, Interval]


def calibrate(verifier: JointVerifier, pool: ClaimPool) -> Calibration:
    """Fit temperature and thresholds of a verifier whose own temperature is 1."""
    judgements = judge(verifier, pool)
    temperature = fit_temperature(judgements.labels, judgements.targets)
    labels = at_temperature(judgements.labels, temperature)
    thresholds = fit_thresholds(judgements, labels)
    data = predict(judgements, labels, thresholds)
    measured = {str(each): bootstrap(contributions(each, data)) for each in MEASURES}
    error = contributions(parse_measure("ECE"), _forecasts(judgements, labels))
    measured["ECE"] = bootstrap(error)
    return Calibration(temperature, thresholds, len(pool.claims), measured)


def _forecasts(judgements: Judgements, labels: Matrix) -> ForecastData:
    rows = zip(judgements.names, labels.tolist(), judgements.targets, strict=True)
    return ForecastData(
        [
            Forecast.of_probabilities(
                claim, dict(zip(_ORDER, row, strict=True)), Label[target.name]
            )
            for (claim, _), row, target in rows
        ]
    )
