"""The command line, one file per command; commands import heavy modules when they run."""

from __future__ import annotations

import sys

import typer

from claimscope.cli import (
    audit,
    batch,
    check,
    data,
    doctor,
    embed,
    evaluate,
    fetch,
    library,
    mcp,
    models,
    notes,
    plan,
    presets,
    retractions,
    search,
    serve,
    sync,
    train,
    verify,
    watch,
    why,
)
from claimscope.cli.helping import App
from claimscope.cli.options import StoppedError

app = App(
    name="claimscope",
    help="Check scientific claims against a library of papers, offline.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(check.check)
app.command("batch")(batch.batch)
app.command("audit")(audit.audit)
app.command("verify")(verify.verify)
app.command("search")(search.search)
app.command("why")(why.why)
library.app.command("embed")(embed.embed)
library.app.command("vectors")(embed.vectors)
library.app.command("watch")(watch.watch)
library.app.command("fetch")(fetch.fetch)
library.app.command("notes")(notes.notes)
library.app.command("sync")(sync.sync)
library.app.command("retractions")(retractions.retractions)
app.add_typer(library.app, name="library")
app.add_typer(data.app, name="data")
app.add_typer(models.app, name="models")
app.command("evaluate")(evaluate.evaluate)
app.add_typer(serve.app, name="serve")
app.command("mcp")(mcp.mcp)
app.add_typer(train.app, name="train")
app.command("plan")(plan.plan)
app.command("presets")(presets.presets)
app.command("doctor")(doctor.doctor)


_INTERRUPTED = 130


def _version(wanted: bool) -> None:
    if wanted:
        from claimscope._version import __version__

        typer.echo(f"claimscope {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    pass


def main() -> None:
    """Run the command line; an error made for people is one sentence on standard error."""
    from claimscope.errors import ClaimscopeError

    try:
        app()
    except ClaimscopeError as error:
        typer.echo(f"claimscope: {error}", err=True)
        sys.exit(2)
    except StoppedError as stopped:
        typer.echo(f"claimscope: {stopped}", err=True)
        sys.exit(_INTERRUPTED)
    except SystemExit as leaving:
        # Typer turns Ctrl-C into a silent exit.
        if leaving.code == _INTERRUPTED:
            typer.echo("claimscope: interrupted; nothing is left half-written.", err=True)
        raise
    except BrokenPipeError:
        # The reader of our output has gone, as with `| head`; that is not an error.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        # Folders and disks fail in more places than verbs can foresee.
        place = "" if error.filename is None else f": {error.filename}"
        typer.echo(f"claimscope: {error.strerror or error}{place}.", err=True)
        sys.exit(2)
