"""`claimscope library retractions`: marks papers by what Retraction Watch knows of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimscope.cli.options import JsonOption, LibraryOption, RecheckOption


def retractions(
    file: Annotated[
        Path, typer.Argument(help="Retraction Watch's table, as Crossref publishes it.")
    ],
    library: LibraryOption = None,
    recheck: RecheckOption = True,
    json: JsonOption = False,
) -> None:
    """Mark retracted, questioned and corrected papers, with dates and reasons.

    Papers are found by DOI and PubMed id. Saved claims for which a marked paper was looked at
    are checked again, and those whose verdict changes are listed.
    """
    from claimscope.cli.opening import open_for_writing
    from claimscope.cli.outputs import write_json
    from claimscope.cli.progress import counting, termination_interrupts
    from claimscope.cli.rechecks import recheck as check_again
    from claimscope.cli.styles import clean
    from claimscope.sources.retraction_watch import read_retractions
    from claimscope.sources.retractions import mark_retractions

    data = read_retractions(file)
    with termination_interrupts(), open_for_writing(library) as opened:
        with counting("Looking at") as count:
            report = mark_retractions(opened, data, count)
        if not json:
            typer.echo(clean(report.source))
            for paper in report.papers:
                if paper.is_changed:
                    words = " | ".join(each.words for each in paper.notices) or "no notice any more"
                    typer.echo(clean(f"  {paper.id}  {paper.title}: {words}"))
            for failure in data.failures:
                typer.echo(clean(f"{failure.place}: {failure.reason}"), err=True)
            for sentence in report.others:
                typer.echo(clean(sentence), err=True)
            typer.echo(report.sentence)
        # Not only papers that changed just now: an earlier run may have been cut short.
        marked = [paper.id for paper in report.papers]
        verdicts = check_again(opened, marked, quiet=json) if recheck and marked else []
    if json:
        write_json(report.to_dict() | {"verdicts": verdicts})
