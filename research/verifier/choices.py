"""What the choices around a verifier bring on the held-out claims of SciFact train.

    python research/verifier/choices.py FOLDER [FOLDER …] [--candidates N] [--halvings N]

For each folder of a trained verifier, such as its fp32 and its int8 form: the four F1 values by
second reading and by the weight of its stance classifier, and without the prior of relevance.
Scaling, prior and thresholds are fitted on one half of the held-out claims and used on the other,
both ways round, so that they are not fitted on what they are measured on; with several halvings,
values and bounds are means over them. The claims must be those that the training held out.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from claimscope.measures import contributions
from claimscope.measures.intervals import bootstrap
from claimscope.measures.measure import EvidenceData
from claimscope.models.locate import Locator
from claimscope.models.runtime import Settings
from claimscope.models.verifier.onnx_joint import MODEL, STANCE, OnnxJointVerifier
from claimscope.models.verifier.readings import RereadingVerifier
from claimscope.models.verifier.settings import RelevancePrior, VerifierSettings
from claimscope.train.claims import bucket
from claimscope.train.verifier.abstracts import Target
from recipe import calibrate
from recipe.calibrate import MEASURES, Judgements, judge
from recipe.pools import ClaimPool, open_pool
from recipe.reading import Remembering
from recipe.scaling import Matrix, fit_scaling
from recipe.thresholds import fit_thresholds, predict

_AGAIN = VerifierSettings(reread=6, reread_weight=0.7, reread_sentence_weight=0.7)
READINGS = (
    VerifierSettings(),
    replace(_AGAIN, reread_weight=0.5, reread_sentence_weight=0.5),
    _AGAIN,
    replace(_AGAIN, stance_weight=0.5),
    replace(_AGAIN, stance_weight=1.0),
    replace(_AGAIN, stance_weight=1.0, stance_sentences=3),
)
"""What is read again, and how much that and the stance classifier count."""
_NO_PRIOR = RelevancePrior(0.0, 0.0)


def plain(folder: Path, file: str = MODEL) -> Remembering:
    """Open one network of a verifier, without scaling and second reading."""
    found = Locator().find(str(folder))
    return Remembering(OnnxJointVerifier(found, Settings.from_environment(), file=file))


def crossed(judgements: Judgements, with_prior: bool, halving: int = 0) -> EvidenceData:
    """Predict each half of the claims with what was fitted on the other."""
    halves = [_half(judgements, side, halving) for side in (0, 1)]
    parts = []
    for fitted, used in (halves, halves[::-1]):
        scaling = fit_scaling(fitted.labels, fitted.targets)
        scaled = scaling.apply(fitted.labels)
        prior = calibrate.fitted_prior(fitted, scaled) if with_prior else _NO_PRIOR
        thresholds = fit_thresholds(fitted, calibrate.moved(fitted, scaled, prior))
        labels = calibrate.moved(used, scaling.apply(used.labels), prior)
        parts.append(predict(used, labels, thresholds))
    first, second = parts
    return EvidenceData({**first.gold, **second.gold}, {**first.predictions, **second.predictions})


def _half(judgements: Judgements, side: int, halving: int) -> Judgements:
    def belongs(claim: str) -> bool:
        return bucket(f"{halving} {claim}" if halving else claim, 2) == side

    rows = [row for row, (claim, _) in enumerate(judgements.names) if belongs(claim)]
    claims = tuple(c for c in judgements.pool.claims if belongs(c.claim.id))
    return Judgements(
        replace(judgements.pool, claims=claims),
        [judgements.names[row] for row in rows],
        judgements.labels[rows],
        [judgements.sentences[row] for row in rows],
        [judgements.targets[row] for row in rows],
    )


def stances(judgements: Judgements) -> float:
    """Give how often support is told from refutation on the abstracts that are evidence."""
    targets = np.asarray(judgements.targets)
    decided = targets != Target.NOT_ENOUGH_INFO
    found = judgements.labels[decided, :2].argmax(axis=1)
    return float((found == targets[decided]).mean())


def main() -> None:
    """Print a table a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--fold", type=int, default=0)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--halvings", type=int, default=1)
    parser.add_argument("--candidates", type=int, default=20)
    options = parser.parse_args()
    pool = open_pool("scifact", options.candidates).divided(options.fold, options.folds)[1]
    for folder in options.folders:
        Console(width=110).print(_table(folder, pool, options.halvings))


def _table(folder: Path, pool: ClaimPool, halvings: int) -> Table:
    table = Table(title=f"{folder}, {len(pool.claims)} claims of train, cross-validated")
    names = ("read again", "weights", "stances", "prior", "right", *map(str, MEASURES), "mean")
    for name in names:
        table.add_column(name, justify="right")
    verifier = plain(folder)
    second = plain(folder, STANCE) if (folder / STANCE).is_file() else None
    for settings in READINGS:
        if settings.stance_weight and second is None:
            continue
        teller = second if settings.stance_weight else None
        judgements = judge(RereadingVerifier(verifier, settings, stances=teller), pool)
        for with_prior in (True, False):
            found = _measured(judgements, with_prior, halvings)
            table.add_row(
                str(settings.reread),
                f"{settings.reread_weight:.1f}, {settings.reread_sentence_weight:.1f}",
                f"{settings.stance_weight:.1f}, {settings.stance_sentences}",
                "yes" if with_prior else "no",
                f"{100 * stances(judgements):.1f}",
                *(f"{value:.1f} ({low:.0f}–{high:.0f})" for value, low, high in found),
                f"{found[:, 0].mean():.1f}",
            )
    return table


def _measured(judgements: Judgements, with_prior: bool, halvings: int) -> Matrix:
    """Give value, lower and upper bound of each measure in per cent, means over the halvings."""
    rows = []
    for halving in range(halvings):
        data = crossed(judgements, with_prior, halving)
        found = [bootstrap(contributions(measure, data)) for measure in MEASURES]
        rows.append([(each.value, each.low, each.high) for each in found])
    means: Matrix = 100 * np.mean(rows, axis=0)
    return means


if __name__ == "__main__":
    main()
