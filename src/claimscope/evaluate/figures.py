"""Which pictures a run has, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from claimscope.evaluate.budget import Blame, BudgetLine
from claimscope.evaluate.material import Material
from claimscope.labels import Label
from claimscope.measures import Measure, evaluate
from claimscope.measures.calibration import reliability_bins, risk_coverage_points
from claimscope.measures.label import confusion
from claimscope.measures.measure import ForecastData, LabelData, RankingData
from claimscope.render import charts

_MOST_POINTS = 300
"""Points of a curve; more cannot be told apart."""
_HEATS = 9


def recall_curves(named: Mapping[str, RankingData]) -> Markup | None:
    """Draw recall over rank for each ranking; None if there is none."""
    series = [
        charts.Series(name, tuple((k, evaluate(Measure("R", k), data)) for k in _ranks(data)))
        for name, data in named.items()
    ]
    if not any(each.points for each in series):
        return None
    shown = "; ".join(
        f"{each.name} reaches {each.points[-1][1]:.3f} at rank {each.points[-1][0]:g}"
        for each in series
        if each.points
    )
    return charts.rank_curves(
        "Recall by rank",
        f"Share of the evidence documents among the first ranks: {shown}.",
        series,
        "recall",
    )


def _ranks(data: RankingData) -> list[int]:
    """Give every rank up to 30, and then about a dozen for each doubling."""
    longest = max((len(ranked) for ranked in data.run.values()), default=0)
    ranks = list(range(1, min(longest, 30) + 1))
    while ranks and ranks[-1] < longest:
        ranks.append(min(longest, ranks[-1] + max(1, ranks[-1] // 16)))
    return sorted({*ranks, *(k for k in (50, 100, 200, 500, 1000) if k <= longest)})


def budget_bars(lines: Sequence[BudgetLine]) -> Markup | None:
    """Draw what each measure reached and which part lost the rest."""
    if not lines:
        return None
    rows = []
    for each in lines:
        name = each.measure.base
        segments = [charts.Segment(0, each.actual, f"{name}: reached {each.actual:.3f}")]
        segments += [
            charts.Segment(
                number,
                max(0.0, each.lost[part]),
                f"{name}: {each.lost[part]:.3f} lost by {part}, {each.share(part):.0%} of the loss",
            )
            for number, part in enumerate(Blame, 1)
        ]
        rows.append((name, segments))
    described = "; ".join(
        f"{each.measure.base} reached {each.actual:.2f} and lost "
        + ", ".join(f"{each.lost[part]:.2f} by {part}" for part in Blame)
        for each in lines
    )
    return charts.stacked_bars("Error budget", f"{described}.", rows)


def reliability_diagram(material: Material) -> Markup | None:
    """Draw accuracy over confidence."""
    data = material.records.get(ForecastData)
    if data is None:
        return None
    bins = [
        (each.lower, each.upper, each.decisions, each.confidence, each.accuracy)
        for each in reliability_bins(data)
    ]
    described = "; ".join(
        f"confidence {confidence:.2f}: accuracy {accuracy:.2f} over {decisions:,} decisions"
        for _, _, decisions, confidence, accuracy in bins
        if decisions
    )
    return charts.reliability("Reliability diagram", f"{described}.", bins)


def risk_coverage_curve(material: Material) -> Markup | None:
    """Draw the error rate among the most certain decisions."""
    data = material.records.get(ForecastData)
    if data is None:
        return None
    points = [(each.coverage, each.risk) for each in risk_coverage_points(data)]
    return charts.risk_coverage(
        "Risk and coverage",
        f"With all decisions made, {points[-1][1]:.3f} of them are wrong.",
        charts.thinned(points, _MOST_POINTS),
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """A count of a confusion matrix and how deep its colour is, from 0 to 9."""

    count: int
    heat: int
    right: bool


@dataclass(frozen=True, slots=True)
class ConfusionMatrix:
    """Gold labels down, predicted labels across."""

    labels: tuple[Label, ...]
    rows: tuple[tuple[Label, tuple[Cell, ...]], ...]


def confusion_matrix(material: Material) -> ConfusionMatrix | None:
    """Count gold against predicted verdicts; colours are shares of the gold label's row."""
    data = material.records.get(LabelData)
    if data is None:
        return None
    counts = confusion(data)
    labels = tuple(label for label in Label if any(label in pair for pair in counts))
    rows = []
    for gold in labels:
        row = [counts.get((gold, predicted), 0) for predicted in labels]
        total = sum(row) or 1
        cells = tuple(
            Cell(count, round(_HEATS * count / total), gold is predicted)
            for count, predicted in zip(row, labels, strict=True)
        )
        rows.append((gold, cells))
    return ConfusionMatrix(labels, tuple(rows))
