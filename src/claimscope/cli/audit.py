"""`claimscope audit`: checks each citation of a manuscript against the paper it cites."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimscope.cli.options import JsonOption, LibraryOption, PresetOption

if TYPE_CHECKING:
    from claimscope.audit import Audit
    from claimscope.library.protocol import ManagedLibrary

_FOUND = 1


def audit(
    manuscript: Annotated[
        Path, typer.Argument(help="The manuscript: Markdown, LaTeX, DOCX, JATS XML or PDF.")
    ],
    library: LibraryOption = None,
    bib: Annotated[
        list[Path] | None,
        typer.Option("--bib", help="References: BibTeX, RIS or CSL JSON; may be repeated."),
    ] = None,
    preset: PresetOption = None,
    json: JsonOption = False,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the report to a file, by its ending: .html, .json, .csv, .sarif, .md or "
            ".docx; may be repeated.",
        ),
    ] = None,
    uncited: Annotated[
        bool,
        typer.Option(help="Also search the library for claims of the text that cite nothing."),
    ] = True,
    cache: Annotated[
        bool, typer.Option(help="Check again only what has changed since the last audit.")
    ] = True,
) -> None:
    """Check each citation of a manuscript against the paper that it cites.

    The exit code is 0 if there is nothing to look at, 1 if there are warnings, and 2 if the
    manuscript could not be audited.
    """
    from claimscope.audit.writers import WRITERS, writer_for
    from claimscope.cli.auditing import show_audit, show_summary
    from claimscope.cli.opening import open_filled
    from claimscope.cli.outputs import require_writable
    from claimscope.cli.render import console

    files = [(path, writer_for(path)) for path in output or []]
    for path, _ in files:
        require_writable(path)
    with open_filled(library) as opened:
        found = _audit(opened, manuscript, bib, preset, uncited, cache)
    for path, write in files:
        _write(path, write(found))
    if json:
        sys.stdout.buffer.write(WRITERS[".json"](found))
    elif files:
        show_summary(found, [path for path, _ in files], console())
    else:
        show_audit(found, console())
    if found.has_warnings:
        raise typer.Exit(_FOUND)


def _audit(
    library: ManagedLibrary,
    manuscript: Path,
    bib: list[Path] | None,
    preset: str | None,
    uncited: bool,
    cache: bool,
) -> Audit:
    from claimscope import audit as auditing
    from claimscope.audit.apart import read_apart
    from claimscope.checker import Checker
    from claimscope.pipeline.preset import DEFAULT_PRESET

    read = read_apart(manuscript)
    if not manuscript.is_absolute():
        # Editors and continuous integration look for the file under the name that was given.
        read = replace(read, name=manuscript.as_posix())
    given = [entry for path in bib or [] for entry in auditing.read_bibliography(path)]
    if bib is None:
        given = list(auditing.bibliographies(manuscript, read.bibliographies))
    answers = auditing.CacheFolder.default().answers(manuscript) if cache else None
    return auditing.audit(
        read,
        library,
        Checker(library, preset or DEFAULT_PRESET),
        given,
        answers,
        auditing.Options(with_uncited=uncited),
    )


def _write(path: Path, content: bytes) -> None:
    from claimscope._files import written_whole

    with written_whole(path) as partial:
        partial.write_bytes(content)
