"""Scaling and thresholds, fitted on held-out claims of the training data and never on dev."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

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
from claimscope.measures.bootstrap import resamples
from claimscope.measures.calibration import (
    ReliabilityBin,
    RiskCoveragePoint,
    reliability_bins,
    risk_coverage_points,
)
from claimscope.measures.evidence import COUNTING
from claimscope.measures.records import EvidenceData, Forecast, ForecastData, PredictedEvidence
from claimscope.models.verifier.joint import Abstract, JointVerifier
from claimscope.models.verifier.settings import RelevancePrior
from claimscope.train.verifier.pairs import CLASSES, Target, target_of
from claimscope.train.verifier.pools import ClaimPool
from claimscope.train.verifier.scaling import Matrix, Scaling, fit_named, fit_prior, fit_scaling
from claimscope.types import LabelProbabilities

MEASURES = tuple(Measure(name, part=Part.F1) for name in COUNTING)
"""The four measures of SciFact."""
GRID = (*(round(0.05 * step, 2) for step in range(1, 20)), 0.97, 0.98, 0.99)
RULES = tuple(product(GRID[::2], (0.0, 0.2, 0.3, 0.4, 0.5)))
"""Least scores of a sentence, by themselves and beside the best one's."""
MOST_SENTENCES = 3
"""SciFact's measures that ask for a rationale look at the first three sentences."""
_DEPTHS = (3, 5, 10, 20)
_SHARES = (0.0, 0.4, 0.5, 0.6, 0.7)
_ROUNDS = 2
_TIED = 1e-9

_ORDER = tuple(Label[name] for name in CLASSES)


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

    @property
    def shares(self) -> Matrix:
        """Each document's retrieval score beside the best one's; 0 if it was not found."""
        ranked = self.pool.ranked
        return np.array([ranked[claim].get(document, 0.0) for claim, document in self.names])


def judge(verifier: JointVerifier, pool: ClaimPool, annotated_only: bool = False) -> Judgements:
    """Let a verifier judge the candidates of each claim, and its evidence.

    Or only what annotators have read, be it evidence or not.
    """
    names, abstracts, targets = [], [], []
    for claim in pool.claims:
        evidence = claim.evidence or {}
        looked_at = claim.cited if annotated_only else tuple(pool.ranked[claim.claim.id])
        for name in dict.fromkeys((*looked_at, *evidence)):
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


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From where an abstract counts as evidence, and a sentence as part of it."""

    evidence: float
    sentence: float
    candidates: int = _DEPTHS[-1]
    """How many of the best candidates are looked at."""
    share: float = 0.0
    """Least retrieval score of those beside the best one's."""
    sentence_share: float = 0.0
    """Least score of a sentence beside that of the abstract's best one."""


def predict(judgements: Judgements, labels: Matrix, thresholds: Thresholds) -> EvidenceData:
    """Give what would be handed to SciFact's scorer; open setting, so candidates only."""
    pool = judgements.pool
    gold = {claim.claim.id: claim.evidence or {} for claim in pool.claims}
    predicted: dict[str, dict[str, PredictedEvidence]] = {name: {} for name in gold}
    looked_at = {
        claim: {
            each for each in list(found)[: thresholds.candidates] if found[each] >= thresholds.share
        }
        for claim, found in pool.ranked.items()
    }
    rows = zip(judgements.names, labels, judgements.sentences, strict=True)
    for (claim, document), row, sentences in rows:
        if document not in looked_at[claim] or 1 - row[2] < thresholds.evidence:
            continue
        label = Label.SUPPORTS if row[0] >= row[1] else Label.REFUTES
        chosen = _chosen(sentences, thresholds)
        predicted[claim][document] = PredictedEvidence(label, chosen)
    return EvidenceData(gold, predicted)


def _chosen(scores: Sequence[float], thresholds: Thresholds) -> tuple[int, ...]:
    """Take at most three sentences that reach the thresholds, and at least the best one."""
    threshold = max(thresholds.sentence, thresholds.sentence_share * max(scores, default=0.0))
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
    kept = [index for index in order[:MOST_SENTENCES] if scores[index] >= threshold]
    return tuple(kept or order[:1])


def fit_thresholds(judgements: Judgements, labels: Matrix) -> Thresholds:
    """Find the thresholds with the best mean of the four F1 values, one after the other, twice.

    Those of sentences and of evidence are then steadied.
    """

    def value(thresholds: Thresholds) -> float:
        data = predict(judgements, labels, thresholds)
        return sum(evaluate(measure, data) for measure in MEASURES)

    best = Thresholds(0.5, 0.4)
    for _ in range(_ROUNDS):
        best = max(_with_evidence(best), key=value)
        best = max((replace(best, candidates=each) for each in _DEPTHS), key=value)
        best = max((replace(best, share=each) for each in _SHARES), key=value)
        best = max(_with_rules(best), key=value)
    return _steady_evidence(judgements, labels, _steady_rule(judgements, labels, best))


def _with_evidence(best: Thresholds) -> list[Thresholds]:
    return [replace(best, evidence=each) for each in GRID]


def _with_rules(best: Thresholds) -> list[Thresholds]:
    return [replace(best, sentence=alone, sentence_share=beside) for alone, beside in RULES]


def _steady_rule(judgements: Judgements, labels: Matrix, best: Thresholds) -> Thresholds:
    """Take the mean of the rules of sentences that are best on resamples of the claims.

    On halves of the claims the best ones asked for 0.05 to 0.85. Of equals, which are many where
    one sentence is left, the first is taken, as it asks for least.
    """
    is_best = _best_on_resamples(judgements, labels, _with_rules(best))
    alone, beside = np.array(RULES)[is_best.argmax(axis=0)].mean(axis=0)
    return replace(best, sentence=round(float(alone), 2), sentence_share=round(float(beside), 2))


def _steady_evidence(judgements: Judgements, labels: Matrix, best: Thresholds) -> Thresholds:
    """Take the mean of the thresholds of evidence that are best on resamples of the claims.

    The four F1 values hardly change over a wide range of it, and where in it their peak lies is
    chance (for the verifier it was first tried on 0.25 to 0.65, within two points of the mean).
    """
    is_best = _best_on_resamples(judgements, labels, _with_evidence(best))
    chosen = (np.array(GRID)[:, None] * is_best).sum(axis=0) / is_best.sum(axis=0)
    return replace(best, evidence=round(float(chosen.mean()), 2))


def _best_on_resamples(
    judgements: Judgements, labels: Matrix, tried: Sequence[Thresholds]
) -> NDArray[np.bool_]:
    """Say which thresholds have the best mean of the four on each resample of the claims."""
    weights = resamples(len(judgements.pool.claims))
    rows = []
    for each in tried:
        data = predict(judgements, labels, each)
        rows.append(sum(contributions(measure, data).values(weights) for measure in MEASURES))
    values = np.array(rows)
    is_best: NDArray[np.bool_] = values >= values.max(axis=0) - _TIED
    return is_best


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
    prior = fitted_prior(judgements, scaled)
    labels = moved(judgements, scaled, prior)
    thresholds = fit_thresholds(judgements, labels)
    data = predict(judgements, labels, thresholds)
    measured = {str(each): bootstrap(contributions(each, data)) for each in MEASURES}
    forecasts = _forecasts(judgements, labels)
    measured["ECE"] = bootstrap(contributions(parse_measure("ECE"), forecasts))
    decided = _decisions(judgements, labels, data)
    elsewhere = [_decided_elsewhere(each, scaling, prior, thresholds) for each in read]
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
    return np.array([[each.of(label) for label in _ORDER] for each in after])


def fitted_prior(judgements: Judgements, labels: Matrix) -> RelevancePrior:
    """Fit the prior on what was found, and that of named documents on what the claims cite.

    Evidence that was not found has no score.
    """
    shares = judgements.shares
    found = shares > 0
    targets = np.asarray(judgements.targets) != Target.NOT_ENOUGH_INFO
    prior = fit_prior(1 - labels[found, 2], shares[found], targets[found].tolist())
    cited = {(claim.claim.id, name) for claim in judgements.pool.claims for name in claim.cited}
    named = np.array([targets[row] or each in cited for row, each in enumerate(judgements.names)])
    return fit_named(prior, 1 - labels[named, 2], targets[named].tolist())


def _forecasts(judgements: Judgements, labels: Matrix) -> ForecastData:
    """Give the labels of what was found, and the right ones."""
    ranked = judgements.pool.ranked
    rows = zip(judgements.names, labels.tolist(), judgements.targets, strict=True)
    return ForecastData(
        [
            Forecast.of_probabilities(
                claim, dict(zip(_ORDER, row, strict=True)), Label[target.name]
            )
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
