"""`claimscope models …`: the models presets name, and how to come by them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimscope.cli.helping import App

app = App(help="List and get the models that presets name.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The model's name.")]


@app.command("list")
def list_models() -> None:
    """List the models, their licences and sizes, and which are on this machine."""
    from rich.table import Table

    from claimscope.cli.render import console
    from claimscope.models.catalogue import CHECKPOINTS
    from claimscope.models.locate import Locator

    locator = Locator()
    table = Table("name", "MB", "licence", "here", "source", box=None, pad_edge=False)
    for row in CHECKPOINTS.values():
        size = "" if row.megabytes is None else f"{row.megabytes:,}"
        here = "yes" if locator.has(row.name) else "no"
        table.add_row(row.name, size, row.licence, here, row.origin)
    console().print(table)


@app.command()
def get(name: Name) -> None:
    """Download a model; nothing is ever downloaded unless you ask for it here."""
    from claimscope.cli.progress import downloading
    from claimscope.models.download import get_model

    with downloading() as progress:
        folder = get_model(name, progress)
    typer.echo(f"{name} is in {folder}.")


@app.command()
def path(name: Name) -> None:
    """Print the folder of a model."""
    from claimscope.models.locate import Locator

    typer.echo(Locator().find(name).folder)


@app.command()
def convert(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A MultiVerS checkpoint (.ckpt).")],
    name: Annotated[
        str,
        typer.Option(help="What the model is called. Default: multivers- and the file's name."),
    ] = "",
    base: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder with config and tokeniser of longformer-large-4096."
        ),
    ] = None,
) -> None:
    """Convert a MultiVerS checkpoint on your disk; nothing that its pickle holds is run."""
    from claimscope.models.convert import convert_file

    folder = convert_file(file, name, base)
    typer.echo(f"{folder.name} is in {folder}.")
