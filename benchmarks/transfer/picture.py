"""Risk over coverage, a small panel a data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from markupsafe import Markup

from claimscope.measures.calibration import risk_coverage_points
from claimscope.measures.measure import ForecastData
from claimscope.render.charts import thinned
from claimscope.render.page import standalone
from claimscope.render.svg import Scale, element, line, picture, polyline, text

_COLUMNS, _WIDTH, _HEIGHT = 3, 230.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 14.0, 26.0, 38.0
_MOST_POINTS = 80
_FIRST_COVERAGE = 0.05
"""The risk of the very first decisions is 0 or 1 by chance, and is not drawn."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A data set's decisions, and how often always giving its commonest label is wrong."""

    title: str
    decisions: ForecastData
    majority_risk: float

    @property
    def points(self) -> list[tuple[float, float]]:
        """Coverage and risk, from the surest decisions to all."""
        found = [(each.coverage, each.risk) for each in risk_coverage_points(self.decisions)]
        return thinned([each for each in found if each[0] >= _FIRST_COVERAGE], _MOST_POINTS)


def draw(panels: Sequence[Panel]) -> str:
    """Draw the panels as one SVG file; all have the same scales, so that they can be compared."""
    highest = max((risk for panel in panels for _, risk in panel.points), default=0.0)
    highest = max(highest, *(panel.majority_risk for panel in panels))
    top = max(0.2, ceil(highest * 5) / 5)
    drawn = [_panel(panel, place, top) for place, panel in enumerate(panels)]
    rows = ceil(len(panels) / _COLUMNS)
    described = "; ".join(f"{each.title}: {each.points[-1][1]:.2f}" for each in panels)
    about = f"Share of wrong labels when all are given: {described}. Dashed: the commonest label."
    size = _COLUMNS * _WIDTH, rows * _HEIGHT
    return standalone(picture("Risk and coverage out of domain", about, *size, *drawn))


def _panel(panel: Panel, place: int, top: float) -> Markup:
    row, column = divmod(place, _COLUMNS)
    left, upper = column * _WIDTH + _LEFT, row * _HEIGHT + _TOP
    x = Scale(0, 1, left, (column + 1) * _WIDTH - _RIGHT)
    y = Scale(0, top, (row + 1) * _HEIGHT - _BOTTOM, upper)
    ticks = [
        element(
            "g",
            line(x.start, y(at), x.end, y(at), "grid"),
            text(left - 6, y(at) + 4, f"{at:g}", "tick", "end"),
        )
        for at in (0.0, top / 2, top)
    ]
    ticks += [text(x(at), y.start + 15, f"{at:g}", "tick", "middle") for at in (0.0, 0.5, 1.0)]
    return element(
        "g",
        *ticks,
        line(x(0), y(panel.majority_risk), x(1), y(panel.majority_risk), "diagonal"),
        polyline([(x(a), y(b)) for a, b in panel.points], "line part-0"),
        text(column * _WIDTH + _RIGHT, upper - 10, panel.title, "row"),
        text((x.start + x.end) / 2, y.start + 30, "coverage", "label", "middle"),
    )
