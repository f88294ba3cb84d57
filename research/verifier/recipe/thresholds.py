"""Thresholds of evidence and of sentences, fitted on held-out claims and never on a test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import ConfigurationError
from claimscope.labels import Label
from claimscope.measures import Measure, Part, contributions, evaluate
from claimscope.measures.evidence import COUNTING
from claimscope.measures.intervals import resamples
from claimscope.measures.measure import EvidenceData, PredictedEvidence
from claimscope.models.verifier.joint import Abstract, JointVerifier
from claimscope.train.verifier.abstracts import Target, target_of
from claimscope.train.verifier.network import CLASSES
from recipe.pools import ClaimPool
from recipe.scaling import Matrix

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

ORDER = tuple(Label[name] for name in CLASSES)


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
        raise ConfigurationError("No claims are held out to calibrate on; choose another fold.")
    found = verifier.verify(abstracts)
    rows = [[each.labels.of(label) for label in ORDER] for each in found]
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
