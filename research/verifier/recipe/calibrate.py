"""Scaling, prior and thresholds, fitted on held-out claims and never on a test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from claimscope.labels import Label
from claimscope.measures import Interval, contributions, parse_measure
from claimscope.measures.calibration import (
    ReliabilityBin,
    RiskCoveragePoint,
    reliability_bins,
    risk_coverage_points,
)
from claimscope.measures.intervals import bootstrap
from claimscope.measures.measure import EvidenceData, Forecast, ForecastData
from claimscope.models.verifier.joint import JointVerifier
from claimscope.models.verifier.settings import RelevancePrior, VerifierSettings
from claimscope.render import charts
from claimscope.render.page import standalone
from claimscope.train.verifier.abstracts import Target
from claimscope.train.verifier.network import CLASSES
from claimscope.types import LabelProbabilities
from recipe.pools import ClaimPool
from recipe.scaling import Matrix, Scaling, fit_named, fit_prior, fit_scaling
from recipe.thresholds import (
    MEASURES,
    MOST_SENTENCES,
    ORDER,
    Judgements,
    Thresholds,
    fit_thresholds,
    judge,
    predict,
)

RELIABILITY, RISK = "reliability.svg", "risk_coverage.svg"
_RISK_POINTS, _MOST_POINTS = 100, 200


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was fitted, and how good the verifier is on the claims it was fitted on."""

    scaling: Scaling
    prior: RelevancePrior
    thresholds: Thresholds
    claims: int
    measured: dict[str, Interval]
    reliability: list[ReliabilityBin]
    """Of the likeliest label of every candidate."""
    risk: list[RiskCoveragePoint]
    """Wrong labels among the abstracts taken as evidence, from the surest to all."""
    tolerance: list[RiskCoveragePoint]
    """The same over all sets that held claims out, which abstention goes by: claims that hardly
    anything was fitted on tell better how often it errs."""


def calibrate(
    verifier: JointVerifier, pool: ClaimPool, others: Sequence[ClaimPool] = ()
) -> Calibration:
    """Fit scaling, prior and thresholds of a verifier that has no scaling of its own.

    Other sets of held-out claims help to scale support against refutation, and tell how far it errs
    where nothing else was fitted.
    """
    judgements = judge(verifier, pool)
    # In a small collection others bear on a claim, too, and nobody has said how.
    read = [judge(verifier, each, annotated_only=True) for each in others]
    scaling = _fitted_scaling(judgements, read)
    scaled = scaling.apply(judgements.labels)
    prior = fitted_prior(judgements, scaled, [(each, scaling.apply(each.labels)) for each in read])
    labels = moved(judgements, scaled, prior)
    thresholds = fit_thresholds(judgements, labels)
    data = predict(judgements, labels, thresholds)
    measured = {str(each): bootstrap(contributions(each, data)) for each in MEASURES}
    forecasts = _forecasts(judgements, labels)
    measured["ECE"] = bootstrap(contributions(parse_measure("ECE"), forecasts))
    decided = _decisions(judgements, labels, data)
    elsewhere = [
        _decided_elsewhere(each, scaling, prior, thresholds) for each in read if each.pool.ranked
    ]
    return Calibration(
        scaling,
        prior,
        thresholds,
        len(pool.claims),
        measured,
        reliability_bins(forecasts),
        risk_coverage_points(ForecastData(decided)),
        risk_coverage_points(ForecastData([*decided, *chain.from_iterable(elsewhere)])),
    )


def _fitted_scaling(judgements: Judgements, others: Sequence[Judgements]) -> Scaling:
    """Fit the scaling on what was found, and on how evidence from elsewhere leans."""
    decided = [
        (row, target)
        for each in others
        for row, target in zip(each.labels, each.targets, strict=True)
        if target != Target.NOT_ENOUGH_INFO
    ]
    rows = np.array([row for row, _ in decided]).reshape(-1, len(CLASSES))
    stances = [target for _, target in decided]
    return fit_scaling(judgements.labels, judgements.targets, rows, stances)


def _decided_elsewhere(
    judgements: Judgements, scaling: Scaling, prior: RelevancePrior, thresholds: Thresholds
) -> list[Forecast]:
    """Decide on another set of claims as on the first."""
    labels = moved(judgements, scaling.apply(judgements.labels), prior)
    return _decisions(judgements, labels, predict(judgements, labels, thresholds))


def moved(judgements: Judgements, labels: Matrix, prior: RelevancePrior) -> Matrix:
    """Give the probabilities once it is known how well each document was found."""
    rows = zip(labels.tolist(), judgements.shares.tolist(), strict=True)
    after = [prior.applied(LabelProbabilities(*row), share) for row, share in rows]
    return np.array([[each.of(label) for label in ORDER] for each in after])


def fitted_prior(
    judgements: Judgements, labels: Matrix, others: Sequence[tuple[Judgements, Matrix]] = ()
) -> RelevancePrior:
    """Fit the prior on what was found, and that of named documents on what the claims cite.

    How often a named document is evidence differs from set to set, so that other sets help there.
    Evidence that was not found has no score.
    """
    shares = judgements.shares
    found = shares > 0
    targets = np.asarray(judgements.targets) != Target.NOT_ENOUGH_INFO
    prior = fit_prior(1 - labels[found, 2], shares[found], targets[found].tolist())
    cited = {(claim.claim.id, name) for claim in judgements.pool.claims for name in claim.cited}
    named = np.array([targets[row] or each in cited for row, each in enumerate(judgements.names)])
    evidence = [1 - labels[named, 2], *(1 - rows[:, 2] for _, rows in others)]
    is_evidence = targets[named].tolist()
    for other, _ in others:
        is_evidence += [target != Target.NOT_ENOUGH_INFO for target in other.targets]
    return fit_named(prior, np.concatenate(evidence), is_evidence)


def _forecasts(judgements: Judgements, labels: Matrix) -> ForecastData:
    """Give the labels of what was found, and the right ones."""
    ranked = judgements.pool.ranked
    rows = zip(judgements.names, labels.tolist(), judgements.targets, strict=True)
    return ForecastData(
        [
            Forecast.of_probabilities(claim, dict(zip(ORDER, row, strict=True)), Label[target.name])
            for (claim, document), row, target in rows
            if document in ranked[claim]
        ]
    )


def _decisions(judgements: Judgements, labels: Matrix, data: EvidenceData) -> list[Forecast]:
    """Give the abstracts taken as evidence, and whether what was said of each is right."""
    rows = zip(judgements.names, labels, judgements.targets, strict=True)
    return [
        Forecast.of_confidence(claim, float(max(row[:2])), int(np.argmax(row[:2])) == target)
        for (claim, document), row, target in rows
        if document in data.predictions[claim]
    ]


def fitted(settings: VerifierSettings, found: Calibration) -> VerifierSettings:
    """Put what was fitted into the settings of a verifier's folder."""
    limits = found.thresholds
    points = charts.thinned(found.tolerance, _RISK_POINTS)
    return replace(
        settings,
        temperature=found.scaling.temperature,
        bias=found.scaling.bias,
        relevance=round(found.prior.weight, 3),
        typical=round(found.prior.typical, 4),
        named=round(found.prior.named, 4),
        evidence=limits.evidence,
        threshold=limits.sentence,
        share=limits.sentence_share,
        most=MOST_SENTENCES,
        force_rationale=True,
        risk=tuple((each.threshold, each.risk) for each in points),
    )


def draw(found: Calibration, folder: Path) -> None:
    """Draw reliability and risk over coverage into a folder."""
    bins = [
        (each.lower, each.upper, each.decisions, each.confidence, each.accuracy)
        for each in found.reliability
    ]
    about = f"Likeliest label of every candidate of {found.claims} held-out claims."
    _write(folder / RELIABILITY, standalone(charts.reliability("Reliability", about, bins)))
    points = [(each.coverage, each.risk) for each in found.risk]
    if points:
        about = f"Of all abstracts taken as evidence, {points[-1][1]:.0%} are labelled wrongly."
        curve = charts.risk_coverage(
            "Risk and coverage", about, charts.thinned(points, _MOST_POINTS)
        )
        _write(folder / RISK, standalone(curve))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
