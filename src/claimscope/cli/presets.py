"""`claimscope presets` and `claimscope models`: the pipelines, and the models they name."""

from __future__ import annotations

from typing import Annotated

import typer

from claimscope.cli.helping import App


def presets(
    name: Annotated[str | None, typer.Argument(help="A preset to show in full.")] = None,
) -> None:
    """List the presets, or show the stages and parameters of one."""
    from claimscope.cli.render import console
    from claimscope.pipeline import preset as known

    out = console()
    if name is None:
        for each in known.names():
            mark = " (default)" if each == known.DEFAULT_PRESET else ""
            out.print(f"[bold]{each}[/]{mark}: {known.load(each).summary}")
        return
    chosen = known.load(name)
    out.print(f"[bold]{chosen.name}[/]: {chosen.summary}")
    if chosen.paper:
        out.print(f"Paper: {chosen.paper}")
    for stage in chosen.stages:
        parameters = ", ".join(f"{key} = {value!r}" for key, value in stage.parameters.items())
        out.print(f"  {stage.kind}.{stage.name}({parameters})", markup=False)
    for measure, value in (chosen.reported or {}).items():
        out.print(f"  the paper reports {measure} = {value}")


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
    from claimscope.cli.common import downloading
    from claimscope.models.download import get_model

    with downloading() as progress:
        folder = get_model(name, progress)
    typer.echo(f"{name} is in {folder}.")


@app.command()
def path(name: Name) -> None:
    """Print the folder a model lies in."""
    from claimscope.models.locate import Locator

    typer.echo(Locator().find(name).folder)
