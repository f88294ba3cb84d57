"""How sure a label must be: risk over the development sets, and the strength of a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from claimscope.models.verifier.joint import Abstract, JointVerifier
from claimscope.models.verifier.settings import RelevancePrior, VerifierSettings
from claimscope.train.verifier.abstracts import View
from claimscope.types import LabelProbabilities
from recipe.scaling import Scaling
from recipe.thresholds import ORDER

Decisions = Sequence[tuple[float, bool]]
"""Probability of each label given, and whether the label is right."""

_LEVELS = tuple(round(0.01 * step, 2) for step in range(30, 100))
_FEWEST = 20
"""Decisions of a set above a level; fewer tell nothing about it."""
TOLERATED = (0.15, 0.10)
"""Share of wrong labels, on the mean of the sets: of all that are given, and of firm ones."""


def decisions(
    verifier: JointVerifier,
    views: Sequence[View],
    scaling: Scaling,
    prior: RelevancePrior,
    evidence: float,
) -> Decisions:
    """Label the abstracts of a set, as named documents, and keep those that are given a side."""
    read = [view for view in views if view.document.has_abstract]
    found = verifier.verify(
        [Abstract(view.claim, view.document.title, view.document.sentences) for view in read]
    )
    rows = np.array([[each.labels.of(label) for label in ORDER] for each in found])
    kept = []
    for view, row in zip(read, scaling.apply(rows.reshape(-1, 3)).tolist(), strict=True):
        labels = prior.applied(LabelProbabilities(*row), prior.named)
        if labels.supports + labels.refutes < evidence:
            continue
        side = 0 if labels.supports >= labels.refutes else 1
        kept.append((max(labels.supports, labels.refutes), side == view.target))
    return kept


def risk_curve(sets: Mapping[str, Decisions]) -> tuple[tuple[float, float], ...]:
    """Give for each level the share of wrong labels on the worst set, the surest level first.

    A level at which a set has too few decisions is left out, so that no promise rests on them.
    """
    return _curve(sets, max)


def strength(sets: Mapping[str, Decisions]) -> tuple[float, float]:
    """Give the least probability of a verdict, and that of a firm one."""
    curve = _curve(sets, fmean)
    least, firm = (
        min((level for level, wrong in curve if wrong <= tolerated), default=1.0)
        for tolerated in TOLERATED
    )
    return least, firm


def _curve(
    sets: Mapping[str, Decisions], joined: Callable[[Iterable[float]], float]
) -> tuple[tuple[float, float], ...]:
    points = []
    for level in reversed(_LEVELS):
        given = [[right for probability, right in s if probability >= level] for s in sets.values()]
        if min(map(len, given), default=0) >= _FEWEST:
            points.append((level, round(joined([1 - fmean(each) for each in given]), 4)))
    return tuple(points)


def with_strength(settings: VerifierSettings, sets: Mapping[str, Decisions]) -> VerifierSettings:
    """Put risk and strength into the settings of a verifier's folder."""
    least, firm = strength(sets)
    return replace(settings, risk=risk_curve(sets), least=least, firm=firm)
