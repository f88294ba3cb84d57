"""The pictures of a model card: how far probabilities can be trusted."""

from __future__ import annotations

from pathlib import Path

from claimscope.render import charts
from claimscope.render.page import standalone
from claimscope.train.verifier.calibrate import Calibration

RELIABILITY, RISK = "reliability.svg", "risk_coverage.svg"
_MOST_POINTS = 200


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
