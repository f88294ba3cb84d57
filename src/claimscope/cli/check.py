"""`claimscope check`: claims in, verdicts and evidence out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from claimscope.cli.options import (
    DesignOption,
    FromYearOption,
    JsonOption,
    LanguageOption,
    LibraryOption,
    MaxErrorOption,
    PresetOption,
    RetractedOption,
    ToYearOption,
    read_filter,
)

if TYPE_CHECKING:
    from claimscope.checker import Checker
    from claimscope.claims.reading import Refusal
    from claimscope.types import Claim

_BATCH = 16


def check(
    claims: Annotated[
        list[str], typer.Argument(help="Claims to check; '-' reads them from standard input.")
    ],
    library: LibraryOption = None,
    preset: PresetOption = None,
    json: JsonOption = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="With --json: what every stage did, with times.")
    ] = False,
    max_error: MaxErrorOption = None,
    from_year: FromYearOption = None,
    to_year: ToYearOption = None,
    design: DesignOption = None,
    language: LanguageOption = None,
    retracted: RetractedOption = None,
    weigh: Annotated[
        str,
        typer.Option(
            "--weigh", help="What a vote weighs: equal, or by the design of its study (design)."
        ),
    ] = "equal",
    whole: Annotated[
        bool, typer.Option("--whole", help="Check compound claims as a whole, not part by part.")
    ] = False,
    show: Annotated[int, typer.Option(min=1, help="How many abstracts to show.")] = 5,
    table: Annotated[
        bool, typer.Option("--table", help="Show a table of the studies, not their abstracts.")
    ] = False,
    format: Annotated[  # noqa: A002 - the option's own name
        str | None,
        typer.Option(
            "--format",
            "-f",
            help="Write one claim as json, markdown, csv, studies (a table as CSV), ris, "
            "claimreview or html.",
        ),
    ] = None,
) -> None:
    """Check claims against a library of papers.

    Standard input holds a claim a line, as plain text or as JSON with "claim" and maybe "id".
    A line that cannot be checked is reported, and the rest go on.
    """
    from claimscope.case_json import to_json
    from claimscope.checker import Checker
    from claimscope.claims.reading import Refusal
    from claimscope.cli.opening import open_filled
    from claimscope.cli.render import console, show_case
    from claimscope.library.filters import filtered
    from claimscope.pipeline.preset import DEFAULT_PRESET

    where = read_filter(from_year, to_year, design, language, retracted)
    refused = False
    out = console()
    with open_filled(library) as opened:
        found = filtered(opened, where)
        checker = Checker(
            found,
            preset or DEFAULT_PRESET,
            max_error,
            weigh=None if weigh == "equal" else weigh,
            split=not whole,
        )
        if format is not None:
            _write(checker, claims, format)
            return
        for batch in _batches(_read(claims)):
            for refusal in (item for item in batch if isinstance(item, Refusal)):
                typer.echo(f"claimscope: line {refusal.line}: {refusal.reason}", err=True)
                refused = True
            readable = [item for item in batch if not isinstance(item, Refusal)]
            for case in checker.check_many(readable):
                if json:
                    sys.stdout.write(to_json(case, with_trace=trace) + "\n")
                else:
                    show_case(case, out, show, as_table=table)
    if refused:
        raise typer.Exit(1)


def _write(checker: Checker, claims: list[str], name: str) -> None:
    from claimscope.errors import InputError, UnknownNameError
    from claimscope.render.exports import FORMATS

    if name not in FORMATS:
        raise UnknownNameError("format", name, FORMATS)
    if len(claims) != 1 or claims == ["-"]:
        raise InputError("--format writes one claim; give one, or write many with --json.")
    sys.stdout.write(FORMATS[name].write(checker.check(claims[0])))


def _read(arguments: Iterable[str]) -> Iterator[Claim | Refusal]:
    from claimscope.claims.reading import read_claim, read_lines

    for argument in arguments:
        if argument == "-":
            yield from read_lines(sys.stdin.buffer)
        else:
            yield read_claim(argument)


def _batches(claims: Iterator[Claim | Refusal]) -> Iterator[list[Claim | Refusal]]:
    """Give claims in batches, so that results appear while later claims wait."""
    batch: list[Claim | Refusal] = []
    for claim in claims:
        batch.append(claim)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
