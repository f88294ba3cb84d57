"""`claimscope train --sweep …`: the trials of a sweep and what each came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from claimscope.cli.options import StoppedError

if TYPE_CHECKING:
    from rich.table import Table

    from claimscope.train.stages.sweep import Summary


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """What was asked for."""

    stage: str
    preset: str | None
    changes: Mapping[str, Any]
    swept: Sequence[str]
    split: str
    measures: Sequence[str]


def run_sweep(
    asked: SweepOptions,
    folder: Path,
    measured_in: str | None,
    report: Callable[[str, int, int], None],
) -> None:
    """Train and measure every combination, and show them in a table."""
    from claimscope.cli.render import console
    from claimscope.train.stages.sweep import RESULTS, Sweep

    sweep = Sweep(
        asked.stage,
        asked.preset,
        asked.changes,
        asked.swept,
        folder,
        asked.split,
        asked.measures,
        measured_in,
        report,
    )
    summaries = sweep.run()
    if summaries is None:
        raise StoppedError(f"stopped; run the same command again to go on in {folder}.")
    console().print(_table(asked, summaries))
    typer.echo(f"The models are in {folder}, and these figures in {folder / RESULTS}.")


def _table(asked: SweepOptions, summaries: Sequence[Summary]) -> Table:
    from rich.table import Table

    table = Table(
        title=f"{asked.stage}, measured on {asked.split}",
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
    )
    table.add_column("folder")
    table.add_column("settings")
    measures = list(summaries[0].spreads)
    for measure in measures:
        table.add_column(str(measure), justify="right")
    for summary in summaries:
        folders = [trial.folder.name for trial in summary.trials]
        cells = []
        for measure in measures:
            found = summary.spreads[measure]
            deviation = f" ± {found.standard_deviation:.4f}" if len(folders) > 1 else ""
            cells.append(f"{found.mean:.4f}{deviation}")
        seeds = f"{len(folders)} seeds" if len(folders) > 1 else ""
        named = ", ".join(each for each in (summary.settings, seeds) if each)
        table.add_row(" ".join(folders), named, *cells)
    return table
