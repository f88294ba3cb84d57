"""`claimscope verify`: says whether a stored result still holds and is found again."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from claimscope.cli.options import LibraryOption


def verify(
    result: Annotated[Path, typer.Argument(help="A result of 'check --json' or 'audit --json'.")],
    library: LibraryOption = None,
) -> None:
    """Verify a stored result: its quotes, what it depends on, and the check itself.

    Every quote must be verbatim in the library at its place. Version, model and library revision
    are compared, and the check runs again. The exit code is 0 if all is the same, 1 if something
    differs, and 2 if the file is no result.
    """
    from claimscope._wording import counted
    from claimscope.audit.verifying import read_results
    from claimscope.audit.verifying import verify as compare
    from claimscope.checker import Checker
    from claimscope.cli.opening import open_filled
    from claimscope.cli.styles import clean
    from claimscope.models.loader import Models

    records = read_results(result)
    with open_filled(library) as opened:

        @cache
        def open_checker(preset: str, split: bool) -> Checker:
            return Checker(opened, preset, split=split, models=models)

        models = Models()
        found = compare(records, opened, open_checker)
    for sentence in found.differences:
        typer.echo(clean(sentence))
    words = f"{counted(found.results, 'result')}, {counted(found.quotes, 'quote')}"
    if found.differences:
        typer.echo(f"{words}: {counted(len(found.differences), 'difference')}.")
        raise typer.Exit(1)
    typer.echo(f"{words}: verbatim, and the same when checked again.")
