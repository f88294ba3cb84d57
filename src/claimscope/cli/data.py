"""`claimscope data …`: the field's data sets, where they are and what is in them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimscope.cli.helping import App

app = App(help="List, get, check and describe the field's data sets.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The data set's name, or beir:FOLDER.")]


@app.command("list")
def list_datasets() -> None:
    """List the data sets, their licences, and which are on this machine."""
    from rich.table import Table

    from claimscope.cli.render import console
    from claimscope.datasets.location import find_folder
    from claimscope.datasets.registry import DATASETS

    table = Table("name", "data set", "claims", "licence", "here", box=None, pad_edge=False)
    for definition in DATASETS.values():
        card = definition.card
        counts = [f"{split} {size.claims}" for split, size in card.splits.items() if size.claims]
        here = "yes" if find_folder(card) else "no"
        table.add_row(card.name, card.title, ", ".join(counts), card.licence, here)
    console().print(table)


@app.command()
def get(name: Name) -> None:
    """Download a data set, resuming and checking where that is possible."""
    from claimscope.cli.progress import downloading
    from claimscope.datasets.location import get as download
    from claimscope.datasets.registry import find_definition

    card = find_definition(name).card
    with downloading() as progress:
        folder = download(card, progress)
    typer.echo(f"{card.title} is in {folder}.")


@app.command()
def path(name: Name) -> None:
    """Print the folder of a data set."""
    from claimscope.datasets.registry import open_dataset

    typer.echo(open_dataset(name).folder)


@app.command()
def check(name: Name) -> None:
    """Count a data set's records and compare them with what there should be."""
    from claimscope.datasets.describe import check as findings
    from claimscope.datasets.registry import open_dataset

    wrong = False
    for finding in findings(open_dataset(name)):
        expected = "unknown" if finding.expected is None else f"{finding.expected:,}"
        if finding.found is None:
            typer.echo(f"{finding.what}: {finding.problem}")
        else:
            verdict = "right" if finding.right else f"WRONG, {expected} expected"
            verdict = "nobody says how many" if finding.expected is None else verdict
            typer.echo(f"{finding.what}: {finding.found:,} ({verdict})")
        wrong = wrong or not (finding.right or finding.missing)
    if wrong:
        raise typer.Exit(1)


@app.command()
def describe(
    name: Name,
    html: Annotated[
        Path | None, typer.Option(help="Also write it, with pictures, as one HTML file.")
    ] = None,
) -> None:
    """Describe a data set: labels, lengths, evidence, vocabulary, and leaks between splits."""
    from claimscope.cli.describing import show_description
    from claimscope.cli.render import console
    from claimscope.datasets.describe import describe as look
    from claimscope.datasets.registry import open_dataset
    from claimscope.render.dataset_page import page

    dataset = open_dataset(name)
    description = look(dataset)
    show_description(dataset.card, description, console())
    if html is not None:
        html.write_text(page(dataset.card, description), encoding="utf-8")
        typer.echo(f"Wrote {html}.", err=True)
