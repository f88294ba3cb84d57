"""What two readings of one text say together: averages of labels and of scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

from claimscope.errors import ConfigurationError
from claimscope.types import LabelProbabilities, Score

LEAST = 1e-6
"""What a probability counts for at least, so that no single reading can exclude a label."""


def mean_labels(
    first: LabelProbabilities, second: LabelProbabilities, weight: float
) -> LabelProbabilities:
    """Average logarithms of probabilities, the second's with this weight from 0 to 1."""
    pairs = zip(_logarithms(first), _logarithms(second), strict=True)
    return _shares([(1 - weight) * one + weight * other for one, other in pairs])


def mean_score(first: Score, second: float | None, weight: float) -> Score:
    """Average log-odds of a sentence's probabilities, the second's with this weight from 0 to 1."""
    if not weight:
        return first
    if first.probability is None or second is None:
        raise ConfigurationError(
            "A verifier that gives sentences no probabilities cannot have them read again; set "
            "reread_sentence_weight in its claimscope.json to 0."
        )
    odds = (1 - weight) * _log_odds(first.probability) + weight * _log_odds(second)
    value = 1 / (1 + math.exp(-odds))
    return Score(value, value)


def scaled(
    labels: LabelProbabilities, temperature: float, bias: Sequence[float]
) -> LabelProbabilities:
    """Divide logarithms by the temperature and move them by the bias of each label, if any."""
    rows = zip(_logarithms(labels), bias or (0.0, 0.0, 0.0), strict=True)
    return _shares([row / temperature + each for row, each in rows])


def evidence_in(labels: LabelProbabilities) -> float:
    """Give the probability of either support or refutation."""
    return labels.supports + labels.refutes


def leaning(labels: LabelProbabilities) -> float:
    """Give the log-odds of support against refutation."""
    supports, refutes, _ = _logarithms(labels)
    return supports - refutes


def _shares(logits: Sequence[float]) -> LabelProbabilities:
    highest = max(logits)
    raised = [math.exp(each - highest) for each in logits]
    supports, refutes, neither = (each / sum(raised) for each in raised)
    return LabelProbabilities(supports, refutes, neither)


def _log_odds(probability: float) -> float:
    kept = min(max(probability, LEAST), 1 - LEAST)
    return math.log(kept / (1 - kept))


def _logarithms(labels: LabelProbabilities) -> tuple[float, float, float]:
    """Give the logarithms of the probabilities of supports, refutes and neither."""
    values = (labels.supports, labels.refutes, labels.not_enough_info)
    supports, refutes, neither = (math.log(max(value, LEAST)) for value in values)
    return supports, refutes, neither
