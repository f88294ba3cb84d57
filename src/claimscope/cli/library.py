"""`claimscope library …`: everything about the collection of papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimscope.cli.helping import App
from claimscope.cli.options import JsonOption, LibraryOption
from claimscope.cli.outputs import require_writable, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimscope.ingest.record import Failure, Skipped

app = App(help="Add, show, verify and export the papers of a library.", no_args_is_help=True)
Ids = Annotated[list[str], typer.Argument(help="Ids of documents.")]
Papers = Annotated[
    list[str], typer.Argument(help="Papers, each by its id, DOI, PMID, URL or title.")
]
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
        Path | None,
        typer.Option(help="Write what failed or was skipped to this file, as JSON Lines."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Add papers; papers that are already there are updated or left unchanged."""
    from claimscope.cli.opening import open_for_writing
    from claimscope.cli.progress import counting, termination_interrupts
    from claimscope.library.importer import import_files

    require_writable(failures)
    with (
        termination_interrupts(),
        open_for_writing(library, create=True) as opened,
        counting("Reading") as count,
    ):
        summary = import_files(opened, paths, format, on_record=lambda path: count(path.name))
    if failures is not None:
        items: list[Failure | Skipped] = [*summary.failures, *summary.skipped]
        failures.write_text("".join(map(_failure_line, items)), "utf-8")
    if json:
        write_json(summary.to_dict())
    else:
        _name_some(summary.failures, "failed", hint=failures is None)
        _name_some(summary.skipped, "were skipped", hint=failures is None)
        typer.echo(summary.sentence)
    if summary.failures and not summary.report.added + summary.report.updated:
        raise typer.Exit(1)


def _name_some(items: Sequence[Failure | Skipped], what: str, hint: bool) -> None:
    """Name the first of what was not read, with the reasons, and say how many more there are."""
    from claimscope.cli.styles import clean

    for item in items[:_SHOWN_FAILURES]:
        typer.echo(clean(f"{item.place}: {item.reason}"), err=True)
    more = len(items) - _SHOWN_FAILURES
    if more > 0 and hint:
        typer.echo(f"and {more:,} more {what}; --failures FILE writes them all.", err=True)


def _failure_line(item: Failure | Skipped) -> str:
    import json as json_format
    from dataclasses import asdict

    # File names may hold bytes that are no text; escapes keep them.
    return json_format.dumps({"status": item.status, "line": None} | asdict(item)) + "\n"


@app.command()
def remove(ids: Ids, library: LibraryOption = None) -> None:
    """Remove documents by id; if one of the ids is unknown, nothing is removed."""
    from claimscope.cli.opening import open_for_writing

    with open_for_writing(library) as opened:
        opened.get(ids)
        count = opened.remove(ids)
        typer.echo(f"Removed {count:,} of {len(set(ids)):,}; {len(opened):,} remain.")


@app.command()
def undo(library: LibraryOption = None) -> None:
    """Undo the last change: papers that were added, updated or removed."""
    from claimscope.cli.opening import open_for_writing

    with open_for_writing(library) as opened:
        typer.echo(opened.undo().sentence)


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
                write_json({"id": document.id, "title": document.title})
            else:
                out.print(heading(document))
        if not json and len(opened) > limit:
            out.print(f"and {len(opened) - limit:,} more; --limit shows more.")


@app.command()
def show(papers: Papers, library: LibraryOption = None, json: JsonOption = False) -> None:
    """Show documents in full."""
    from claimscope.cli.opening import open_for_reading
    from claimscope.cli.render import console, show_document
    from claimscope.library.writers.json_lines import to_record

    out = console()
    with open_for_reading(library) as opened:
        for document in [opened.find(words) for words in papers]:
            if json:
                write_json(to_record(document))
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
            write_json(place | asdict(statistics))
        else:
            show_statistics(opened.location, opened.revision, statistics, console())


@app.command()
def verify(library: LibraryOption = None) -> None:
    """Check that the documents and the search index agree."""
    from claimscope._wording import counted
    from claimscope.cli.opening import open_for_reading

    problems = 0
    with open_for_reading(library) as opened:
        for problem in opened.verify():
            problems += 1
            typer.echo(f"{problem.fault.value}: {problem.sentence}")
        if not problems:
            documents = counted(len(opened), "document")
            typer.echo(f"The library is sound: {documents}, index and store agree.")
    if problems:
        found = counted(problems, "problem")
        typer.echo(f"{found}; 'claimscope library rebuild' repairs the index.")
        raise typer.Exit(1)


@app.command()
def rebuild(library: LibraryOption = None) -> None:
    """Rebuild the search index from the documents."""
    from claimscope._wording import counted
    from claimscope.cli.opening import open_for_writing

    with open_for_writing(library) as opened:
        typer.echo(f"Indexed {counted(opened.rebuild(), 'document')}.")


@app.command()
def compact(library: LibraryOption = None) -> None:
    """Free the disk space of removed documents."""
    from claimscope.cli.opening import open_for_writing

    with open_for_writing(library) as opened:
        typer.echo(f"Freed {opened.compact() / 1e6:,.1f} MB.")


@app.command()
def copy(
    source: Annotated[str, typer.Argument(help="The folder or URL of the library to copy.")],
    target: Annotated[str, typer.Argument(help="Where to: a folder or a URL; made if missing.")],
) -> None:
    """Copy a library, such as a folder to qdrant://HOST:PORT/NAME or back.

    Interrupted, the same command goes on where it was. What the target holds besides stays there.
    """
    from claimscope._wording import counted
    from claimscope.cli.opening import open_for_reading, open_for_writing
    from claimscope.cli.progress import filling, termination_interrupts

    with (
        termination_interrupts(),
        open_for_reading(source) as opened,
        open_for_writing(target, create=True) as copied,
        filling("Copying", len(opened)) as advance,
    ):
        done = 0

        def show(count: int) -> None:
            nonlocal done
            advance(count - done)
            done = count

        report = copied.receive(opened.papers(), show)
    total = report.added + report.updated + report.unchanged
    typer.echo(
        f"Copied {counted(total, 'document')}: {report.added:,} added, {report.updated:,} updated, "
        f"{report.unchanged:,} there already."
    )


@app.command()
def export(
    file: Annotated[str, typer.Argument(help="The file to write, or '-' for standard output.")],
    library: LibraryOption = None,
    format: Annotated[  # noqa: A002 - the option's name
        str | None,
        typer.Option(
            help="jsonl, ris, bibtex, csl-json, csv or endnote-xml; else the file's ending decides."
        ),
    ] = None,
) -> None:
    """Write the library to a file: .jsonl, .ris, .bib, .json (CSL-JSON), .csv or .xml (EndNote).

    Every format can be added again; only JSON Lines keeps where sentences begin and end.
    """
    from claimscope._wording import counted
    from claimscope.cli.opening import open_for_reading
    from claimscope.library.export import export_to

    with open_for_reading(library) as opened:
        count = export_to(opened, file, format)
    typer.echo(f"Wrote {counted(count, 'document')}.", err=True)
