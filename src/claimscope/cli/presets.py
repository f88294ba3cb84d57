"""`claimscope presets`: the pipelines there are, and what each is made of."""

from __future__ import annotations

from typing import Annotated

import typer


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
