"""`claimscope serve`: Claimscope over HTTP, and the access tokens of those who use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from claimscope.cli.helping import App
from claimscope.cli.options import LibraryOption, StateOption

if TYPE_CHECKING:
    from claimscope.service.jobs.tokens import Tokens

app = App(invoke_without_command=True, help="Serve the library over HTTP.")
token_app = App(
    help="Make, list and revoke the access tokens that other computers need.", no_args_is_help=True
)
app.add_typer(token_app, name="token")


@app.callback()
def serve(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="The address to listen on; other computers need tokens.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")
    ] = 8765,
    library: LibraryOption = None,
    preset: Annotated[
        list[str] | None,
        typer.Option(
            "--preset",
            "-p",
            help="A pipeline to offer: a preset's name or a TOML file. Give it several times to "
            "let clients choose; the first is the default.",
        ),
    ] = None,
    state: StateOption = None,
    keep_jobs: Annotated[
        float, typer.Option(metavar="DAYS", min=1, help="How long to keep jobs that have ended.")
    ] = 30,
    keep_keys: Annotated[
        float, typer.Option(metavar="DAYS", min=1, help="How long to remember idempotency keys.")
    ] = 7,
) -> None:
    """Serve the library over HTTP until interrupted; jobs go on after a restart."""
    if context.invoked_subcommand is not None:
        return
    _require_extra()
    from claimscope.pipeline.preset import DEFAULT_PRESET
    from claimscope.service.server import serve as run
    from claimscope.service.settings import Limits, Settings

    settings = Settings(
        library=_location(library),
        presets=tuple(preset or [DEFAULT_PRESET]),
        host=host,
        port=port,
        limits=Limits.for_host(host),
        state=state,
        job_days=keep_jobs,
        key_days=keep_keys,
    )
    told = (
        f"Claimscope serves {settings.library} at {{}} (open it in a browser; the API is /api/v1)"
    )
    run(settings, lambda address: typer.echo(told.format(address)))


@token_app.command()
def create(
    name: Annotated[str, typer.Argument(help="Whom the token is for.")],
    scope: Annotated[
        str, typer.Option(help="read, write (imports and jobs, too) or admin.")
    ] = "read",
    library: LibraryOption = None,
    state: StateOption = None,
) -> None:
    """Make a token and show it, for the only time."""
    from claimscope.errors import UnknownNameError
    from claimscope.service.jobs.tokens import Scope

    if scope not in set(Scope):
        raise UnknownNameError("scope", scope, list(Scope))
    with _tokens(library, state) as tokens:
        text = tokens.create(name, Scope(scope))
    typer.echo("Keep this token safe; it is not shown again.", err=True)
    typer.echo(text)


@token_app.command("list")
def list_tokens(library: LibraryOption = None, state: StateOption = None) -> None:
    """List the tokens by name, with what each may do."""
    with _tokens(library, state) as tokens:
        for token in tokens.all():
            typer.echo(f"{token.name}\t{token.scope}\t{token.id}")


@token_app.command()
def revoke(
    name: Annotated[str, typer.Argument(help="The name of the token.")],
    library: LibraryOption = None,
    state: StateOption = None,
) -> None:
    """Make a token worthless, at once."""
    from claimscope.errors import UnknownNameError

    with _tokens(library, state) as tokens:
        if not tokens.revoke(name):
            raise UnknownNameError("token", name, [token.name for token in tokens.all()] or ["-"])
    typer.echo(f"Revoked {name}.")


@contextmanager
def _tokens(argument: str | None, state: str | None) -> Iterator[Tokens]:
    from contextlib import closing

    from claimscope.library.location import DEMO, open_library
    from claimscope.service.jobs.database import Database, state_folder
    from claimscope.service.jobs.tokens import Tokens

    location = _location(argument)
    with (
        open_library(location, create=location != DEMO),
        closing(Database(state_folder(location, state))) as database,
    ):
        yield Tokens(database)


def _location(argument: str | None) -> str:
    """Give the library to serve: the demonstration library if the user has none yet."""
    from claimscope.library.location import DEMO, default_location, exists, resolve_location

    location = resolve_location(argument)
    return DEMO if location == default_location() and not exists(location) else location


def _require_extra() -> None:
    from importlib.util import find_spec

    from claimscope.errors import MissingExtraError

    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "python_multipart")):
        raise MissingExtraError("The service", "serve")
