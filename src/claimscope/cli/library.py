"""`claimscope library …`: everything about the collection of papers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimscope.cli.helping import App
from claimscope.cli.options import JsonOption, LibraryOption

if TYPE_CHECKING:
    from claimscope.ingest.record import Failure

app = App(help="Add, look at, check and export the papers of a library.", no_args_is_help=True)
Ids = Annotated[list[str], typer.Argument(help="Ids of documents.")]
_SHOWN_FAILURES = 10


@app.command()
def add(
    paths: Annotated[
        list[str], typer.Argument(help="Files, folders or globs, in any mixture of formats.")
    ],
    library: LibraryOption = None,
    format: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option(help="Read the files as this format instead of detecting it.")
    ] = None,
    failures: Annotated[
        Path | None, typer.Option(help="Write what failed to this file, one JSON object a line.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Add papers; what is there already is updated or left alone."""
    from claimscope.cli.opening import open_for_writing
    from claimscope.cli.progress import counting
    from claimscope.cli.render import clean
    from claimscope.ingest.importer import import_files

    with open_for_writing(library, create=True) as opened, counting("Reading") as count:
        summary = import_files(opened, paths, format, on_record=lambda path: count(path.name))
    if failures is not None:
        failures.write_text("".join(_failure_line(item) for item in summary.failures), "utf-8")
    if json:
        _write_json(summary.to_dict())
    else:
        for failure in summary.failures[:_SHOWN_FAILURES]:
            typer.echo(clean(f"{failure.place}: {failure.reason}"), err=True)
        if len(summary.failures) > _SHOWN_FAILURES and failures is None:
            more = len(summary.failures) - _SHOWN_FAILURES
            typer.echo(f"and {more} more; --failures FILE writes them all.", err=True)
        typer.echo(summary.sentence)
    if summary.failures and not summary.report.added + summary.report.updated:
        raise typer.Exit(1)


def _failure_line(failure: Failure) -> str:
    import json as json_format
    from dataclasses import asdict

    # File names may hold bytes that are no text; escapes keep them.
    return json_format.dumps(asdict(failure)) + "\n"


@app.command()
def remove(ids: Ids, library: LibraryOption = None) -> None:
    """Remove documents by id."""
    from claimscope.cli.opening import open_for_writing

    with open_for_writing(library) as opened:
        count = opened.remove(ids)
        typer.echo(f"Removed {count:,} of {len(set(ids)):,}; {len(opened):,} remain.")


@app.command("list")
def list_documents(
    library: LibraryOption = None,
    limit: Annotated[int, typer.Option(min=1, help="How many to list.")] = 50,
    json: JsonOption = False,
) -> None:
    """List documents, ordered by id."""
    from itertools import islice

    from claimscope.cli.opening import open_for_reading
    from claimscope.cli.render import console, heading

    out = console()
    with open_for_reading(library) as opened:
        for document in islice(opened.documents(), limit):
            if json:
                _write_json({"id": document.id, "title": document.title})
            else:
                out.print(heading(document))
        if not json and len(opened) > limit:
            out.print(f"and {len(opened) - limit:,} more; --limit shows more.")


@app.command()
def show(ids: Ids, library: LibraryOption = None, json: JsonOption = False) -> None:
    """Show documents in full."""
    from claimscope.cli.opening import open_for_reading
    from claimscope.cli.render import console, show_document
    from claimscope.library.export import to_record

    out = console()
    with open_for_reading(library) as opened:
        for document in opened.get(ids):
            if json:
                _write_json(to_record(document))
            else:
                show_document(document, out)


@app.command()
def stats(library: LibraryOption = None, json: JsonOption = False) -> None:
    """Count what the library holds."""
    from dataclasses import asdict

    from claimscope.cli.opening import open_for_reading
    from claimscope.cli.render import console, show_statistics

    with open_for_reading(library) as opened:
        statistics = opened.statistics()
        if json:
            place = {"location": opened.location, "revision": opened.revision}
            _write_json(place | asdict(statistics))
        else:
            show_statistics(opened.location, opened.revision, statistics, console())


@app.command()
def verify(library: LibraryOption = None) -> None:
    """Look for any disagreement between the documents and the search index."""
    from claimscope.cli.opening import open_for_reading

    problems = 0
    with open_for_reading(library) as opened:
        for problem in opened.verify():
            problems += 1
            typer.echo(f"{problem.fault.value}: {problem.sentence}")
        if not problems:
            typer.echo(f"All is well: {len(opened):,} documents, index and store agree.")
    if problems:
        typer.echo(f"{problems:,} problems; 'claimscope library rebuild' mends the index.")
        raise typer.Exit(1)


@app.command()
def rebuild(library: LibraryOption = None) -> None:
    """Make the search index anew from the documents."""
    from claimscope.cli.opening import open_for_writing

    with open_for_writing(library) as opened:
        typer.echo(f"Indexed {opened.rebuild():,} documents.")


@app.command()
def compact(library: LibraryOption = None) -> None:
    """Give the space of removed documents back."""
    from claimscope.cli.opening import open_for_writing

    with open_for_writing(library) as opened:
        typer.echo(f"Freed {opened.compact() / 1e6:,.1f} MB.")


@app.command()
def export(
    file: Annotated[str, typer.Argument(help="The file to write, or '-' for standard output.")],
    library: LibraryOption = None,
    format: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option(help="jsonl or ris; else the file's ending decides.")
    ] = None,
) -> None:
    """Write the library as JSON Lines, which can be added again, or as RIS."""
    from claimscope.cli.opening import open_for_reading
    from claimscope.library.export import export_to

    with open_for_reading(library) as opened:
        count = export_to(opened, file, format)
    typer.echo(f"Wrote {count:,} documents.", err=True)


def _write_json(value: object) -> None:
    import json as json_format

    line = json_format.dumps(value, ensure_ascii=False) + "\n"
    sys.stdout.write(line.encode(errors="backslashreplace").decode())
