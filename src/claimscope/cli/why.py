"""`claimscope why`: what became of one paper on its way to a verdict."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from claimscope.cli.options import JsonOption, LibraryOption, PresetOption


def why(
    claim: Annotated[str, typer.Argument(help="The claim.")],
    paper: Annotated[
        str, typer.Argument(help="A paper of the library, by its id, DOI, PMID, URL or title.")
    ],
    library: LibraryOption = None,
    preset: PresetOption = None,
    json: JsonOption = False,
) -> None:
    """Show at which stage a paper was dropped, and at what rank."""
    import json as json_format

    from claimscope.checker import Checker
    from claimscope.cli.opening import open_filled
    from claimscope.cli.render import console, heading
    from claimscope.cli.styles import clean
    from claimscope.pipeline.preset import DEFAULT_PRESET

    with open_filled(library) as opened:
        document = opened.find(paper)
        answer = Checker(opened, preset or DEFAULT_PRESET).why(claim, document.id)
    if json:
        sys.stdout.write(json_format.dumps(asdict(answer), ensure_ascii=False) + "\n")
        return
    out = console()
    out.print(heading(document))
    for step in answer.steps:
        mark = "[green]kept[/]" if step.kept else "[red]dropped[/]"
        score = "" if step.score is None else f" score {step.score:.3f}, "
        out.print(f"{mark} {step.stage}: {score}{clean(step.words)}")
    out.print(clean(answer.conclusion), markup=False)
