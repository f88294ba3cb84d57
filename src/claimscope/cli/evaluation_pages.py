"""What `claimscope evaluate` writes beside the scores: reports, pages to mark, kinds of claims."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from claimscope.evaluate.folder import RunFolder
    from claimscope.evaluate.scoring import Scores


def show_kinds(folders: Sequence[RunFolder], as_json: bool) -> None:
    """Score each run on claims with numbers, with rare terms and with joint evidence."""
    from rich.table import Table

    from claimscope.cli.render import console
    from claimscope.cli.styles import clean
    from claimscope.datasets.registry import open_dataset
    from claimscope.evaluate.kinds import by_kind, meaning

    for folder in folders:
        info = folder.info()
        found = by_kind(folder, open_dataset(info.dataset).documents())
        if as_json:
            kinds = {
                each.kind.value: {
                    "claims": each.claims,
                    "scores": {str(measure): value for measure, value in each.values.items()},
                }
                for each in found
            }
            sys.stdout.write(json.dumps({"run": info.name, "kinds": kinds}) + "\n")
            continue
        if not found:
            typer.echo(f"{info.name} judges no abstracts, so it has no scores by kind.", err=True)
            continue
        table = Table(
            "claims",
            title=f"{clean(info.name)} by kinds of claims",
            title_justify="left",
            title_style="bold",
            box=None,
            pad_edge=False,
        )
        table.add_column("number", justify="right")
        for measure in found[0].values:
            table.add_column(str(measure).replace("-", " "), justify="right")
        for each in found:
            cells = (f"{value:.4f}" for value in each.values.values())
            table.add_row(each.kind.value, str(each.claims), *cells)
        out = console()
        out.print(table)
        for each in found:
            if meaning(each.kind):
                out.print(f"{each.kind.value}: {meaning(each.kind)}", style="dim")


def write_plausibility_page(path: Path, folders: Sequence[RunFolder]) -> None:
    """Write the page of one run."""
    from claimscope.errors import InputError
    from claimscope.evaluate.plausibility import write_plausibility

    if len(folders) != 1:
        raise InputError(f"The page is for one run, and there are {len(folders)}; choose one.")
    marked = write_plausibility(path, folders[0])
    typer.echo(f"Wrote {path}, with {marked} abstracts to mark.", err=True)


def check_report(path: Path, predictions: Path | None) -> None:
    """Refuse a report that cannot be made, before hours are spent on what it would hold."""
    import errno
    from tempfile import TemporaryFile

    from claimscope.errors import InputError

    if predictions is not None:
        raise InputError("A prediction file holds too little for a report; give runs.")
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise InputError(
            f"The report cannot be written to {path} ({error.strerror}); choose another file."
        ) from error


def write_report_page(path: Path, scored: Sequence[tuple[RunFolder | None, Scores]]) -> None:
    """Write the report of the runs that are on the disk."""
    from claimscope.evaluate.report import write_report

    write_report(path, [(folder, scores) for folder, scores in scored if folder is not None])
