"""`claimscope library notes`: saved verdicts as notes for a reference manager."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claimscope.cli.options import LibraryOption


def notes(
    file: Annotated[Path, typer.Argument(help="The file to write: .ris, or .json for CSL-JSON.")],
    library: LibraryOption = None,
) -> None:
    """Write saved verdicts as notes on their papers, for Zotero to import.

    Every paper that a verdict rests on is written with a note for each claim.
    """
    from claimscope._files import written_whole
    from claimscope._wording import counted
    from claimscope.cli.opening import open_for_reading
    from claimscope.cli.outputs import require_writable
    from claimscope.errors import InputError, UnknownNameError
    from claimscope.render.verdict_notes import FORMATS, notes_of
    from claimscope.service.jobs.rechecking import saved_cases

    ending = file.suffix.lstrip(".").lower()
    if ending not in FORMATS:
        raise UnknownNameError("format for notes", ending or file.name, FORMATS)
    require_writable(file)
    with open_for_reading(library) as opened:
        found = notes_of(saved_cases(opened))
    if not found:
        raise InputError(
            "No saved verdict rests on a paper of this library; save claims on the page of "
            "'claimscope serve' first."
        )
    with written_whole(file) as partial:
        partial.write_text(FORMATS[ending](found), "utf-8")
    several = sum(len(each) for _, each in found.values())
    typer.echo(f"Wrote {counted(several, 'note')} on {counted(len(found), 'paper')}.", err=True)
