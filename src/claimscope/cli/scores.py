"""Shows scores to people and machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from claimscope.cli.styles import clean
from claimscope.evaluate.compare import Contrast, Repeated
from claimscope.evaluate.scoring import Scored, Scores, headlines, titles_of


def show_scores(scored: Sequence[Scores], to: Console) -> None:
    """Show the runs side by side, a table a group of measures."""
    info = scored[0].material.info
    to.print(Text(f"{info.title}, {info.split}: {info.claims:,} claims", style="bold"))
    for title in titles_of(scored):
        to.print(_table(title, scored))
    for each in scored:
        for note in each.material.notes:
            who = f"{each.material.info.name}: " if len(scored) > 1 else ""
            to.print(Text(clean(f"! {who}{note}"), style="yellow"))


def show_rows(scored: Sequence[Scores], to: Console) -> None:
    """Show many runs below each other, by the values a reader looks for first."""
    info = scored[0].material.info
    to.print(Text(f"{info.title}, {info.split}: {info.claims:,} claims", style="bold"))
    measures = [each.measure for each in headlines(scored[0])]
    table = Table("run", box=None, pad_edge=False)
    for measure in measures:
        table.add_column(str(measure), justify="right")
    for each in scored:
        values = each.values
        cells = (f"{values[it].interval.value:.4f}" if it in values else "-" for it in measures)
        table.add_row(clean(each.material.info.name), *cells)
    to.print(table)


def _table(title: str, scored: Sequence[Scores]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("measure")
    for each in scored:
        table.add_column(clean(each.material.info.name), justify="right")
    of_group = [
        {x.measure: x for name, group in each.groups if name == title for x in group}
        for each in scored
    ]
    for measure in dict.fromkeys(measure for values in of_group for measure in values):
        table.add_row(str(measure), *(_cell(values.get(measure)) for values in of_group))
    return table


def _cell(scored: Scored | None) -> Text:
    if scored is None:
        return Text("-", style="dim")
    interval = scored.interval
    text = Text(f"{interval.value:.4f}", style="bold")
    return text.append(f"  [{interval.low:.3f}, {interval.high:.3f}]", style="not bold dim")


def show_contrasts(names: tuple[str, str], tests: Sequence[Contrast], to: Console) -> None:
    """Show how two runs differ, with the test's p-value."""
    title = f"{clean(names[0])} against {clean(names[1])}: paired randomisation test"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("measure")
    for name in ("difference", "p"):
        table.add_column(name, justify="right")
    for test in tests:
        result = test.result
        style = "bold" if result.p_value < 0.05 else ""
        table.add_row(
            str(test.measure),
            Text(f"{result.difference:+.4f}", style=style),
            Text(f"{result.p_value:.4f}", style=style),
        )
    to.print(table)


def show_repeated(runs: Repeated, to: Console) -> None:
    """Show a system over its seeds."""
    title = f"{clean(runs.info.name)} over {len(runs.seeds)} seeds: mean ± standard deviation"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("measure")
    table.add_column("mean ± deviation", justify="right")
    for measure, spread in runs.spreads:
        table.add_row(str(measure), f"{spread.mean:.4f} ± {spread.standard_deviation:.4f}")
    to.print(table)


def scores_record(scored: Scores) -> dict[str, Any]:
    """Give a run's scores as plain values."""
    return {
        "run": asdict(scored.material.info),
        "notes": list(scored.material.notes),
        "scores": {
            str(measure): {
                "value": each.interval.value,
                "low": each.interval.low,
                "high": each.interval.high,
                "level": each.interval.level,
                "samples": each.interval.samples,
            }
            for measure, each in scored.values.items()
        },
    }


def contrast_record(names: tuple[str, str], tests: Sequence[Contrast]) -> dict[str, Any]:
    """Give a comparison as plain values."""
    return {
        "runs": list(names),
        "tests": {str(test.measure): asdict(test.result) for test in tests},
    }


def repeated_record(runs: Repeated) -> dict[str, Any]:
    """Give the spread over seeds as plain values."""
    return {
        "run": runs.info.name,
        "seeds": list(runs.seeds),
        "spreads": {str(measure): asdict(spread) for measure, spread in runs.spreads},
    }
