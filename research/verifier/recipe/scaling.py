"""Calibration of label probabilities: a temperature, a bias a class, and the prior of relevance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from claimscope.models.verifier.settings import RelevancePrior

Matrix = NDArray[np.float64]

_STEPS = 100
_CLOSE = 1e-9
_RIDGE = 1e-4
"""Keeps the fit finite where held-out claims are told apart without a mistake."""
_STEEPEST = 0.05
_RULED_OUT = -1e3
"""Logit of a class that cannot be."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """Logits are divided by the temperature, and the bias of each class is added.

    Temperature scaling is Guo et al. (2017), section 4.2. The biases set right the share of
    abstracts without evidence, which is far larger among candidates than in training.
    """

    temperature: float
    bias: tuple[float, ...]

    def apply(self, probabilities: Matrix) -> Matrix:
        """Scale probabilities; their logarithms serve as logits."""
        return _softmax(_logits(probabilities) / self.temperature + np.asarray(self.bias))


def fit_scaling(
    probabilities: Matrix,
    targets: Sequence[int],
    elsewhere: Matrix | None = None,
    stances: Sequence[int] = (),
) -> Scaling:
    """Find the scaling of least negative log-likelihood, which is convex, by Newton's method.

    The last class, which is silence, has no bias, since only differences matter. Of evidence from
    elsewhere it is only asked which of the other classes it is: how much of what is found is
    evidence differs from set to set.
    """
    count, classes = probabilities.shape
    others = np.zeros((0, classes)) if elsewhere is None else elsewhere
    logits = _logits(np.concatenate([probabilities, others]))
    features = np.zeros((len(logits), classes, classes))
    features[:, :, 0] = logits
    for other in range(classes - 1):
        features[:, other, other + 1] = 1.0
    given = np.zeros(logits.shape)
    features[count:, -1] = 0.0
    given[count:, -1] = _RULED_OUT
    truth = np.eye(classes)[[*targets, *stances]]
    start = np.zeros(classes)
    start[0] = 1.0
    weights = _likeliest(features, given, truth, start)
    slope = max(float(weights[0]), _STEEPEST)
    return Scaling(1 / slope, (*map(float, weights[1:]), 0.0))


def fit_prior(evidence: Matrix, shares: Matrix, targets: Sequence[bool]) -> RelevancePrior:
    """Find the prior of least negative log-likelihood for candidates with these probabilities.

    Where a larger share does not make evidence likelier, the prior changes nothing.
    """
    features = np.stack([shares, np.ones(len(shares))], axis=1)
    weight, level = _moved_odds(evidence, features, targets)
    return RelevancePrior(weight, -level / weight) if weight > 0 else NO_PRIOR


def fit_named(prior: RelevancePrior, evidence: Matrix, targets: Sequence[bool]) -> RelevancePrior:
    """Find the share of documents that were named, by least negative log-likelihood."""
    if prior.weight <= 0 or not len(evidence):
        return prior
    [gained] = _moved_odds(evidence, np.ones((len(evidence), 1)), targets)
    return replace(prior, named=prior.typical + gained / prior.weight)


NO_PRIOR = RelevancePrior(0.0, 1.0)


def _moved_odds(evidence: Matrix, features: Matrix, targets: Sequence[bool]) -> list[float]:
    """Find the weights by which features move the log-odds of evidence [count, features]."""
    given = np.stack([_logits(evidence) - _logits(1 - evidence), np.zeros(len(evidence))], axis=1)
    both = np.stack([features, np.zeros_like(features)], axis=1)
    truth = np.stack([np.asarray(targets), ~np.asarray(targets)], axis=1).astype(float)
    return [float(each) for each in _likeliest(both, given, truth, np.zeros(features.shape[1]))]


def _likeliest(features: Matrix, given: Matrix, truth: Matrix, start: Matrix) -> Matrix:
    """Find the weights of least negative log-likelihood by Newton's method, from a start."""
    weights = start.copy()
    loss = _loss(features, given, weights, truth, start)
    for _ in range(_STEPS):
        step = _newton_step(features, given, weights, truth, start)
        size = 1.0
        while size > _CLOSE and _loss(features, given, weights - size * step, truth, start) > loss:
            size /= 2
        moved = weights - size * step
        lower = _loss(features, given, moved, truth, start)
        if loss - lower < _CLOSE:
            break
        weights, loss = moved, lower
    return weights


def _newton_step(
    features: Matrix, given: Matrix, weights: Matrix, truth: Matrix, start: Matrix
) -> Matrix:
    chances = _softmax(given + features @ weights)
    gradient = np.einsum("nk,nkf->f", chances - truth, features) / len(features)
    means = np.einsum("nk,nkf->nf", chances, features)
    spread = np.einsum("nk,nkf,nkg->fg", chances, features, features)
    curvature = (spread - np.einsum("nf,ng->fg", means, means)) / len(features)
    ridge = _RIDGE * np.eye(len(weights))
    step: Matrix = np.linalg.solve(curvature + ridge, gradient + _RIDGE * (weights - start))
    return step


def _loss(features: Matrix, given: Matrix, weights: Matrix, truth: Matrix, start: Matrix) -> float:
    scores = given + features @ weights
    likelihood = (truth * (scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))).sum(1)
    return float(-likelihood.mean() + _RIDGE / 2 * np.square(weights - start).sum())


def _logits(probabilities: Matrix) -> Matrix:
    logits: Matrix = np.log(np.clip(probabilities, 1e-12, 1.0))
    return logits


def _softmax(scores: Matrix) -> Matrix:
    chances: Matrix = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
    return chances
