"""`claimscope mcp`: the library as tools for assistants."""

from __future__ import annotations

from typing import Annotated

import typer

from claimscope.cli.options import LibraryOption, PresetOption, StateOption


def mcp(
    library: LibraryOption = None,
    preset: PresetOption = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP clients that have a token, instead.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --http: the port; 0 takes a free one.")
    ] = 8766,
    state: StateOption = None,
) -> None:
    """Serve the library to assistants by the Model Context Protocol, for reading only.

    The program that starts this command speaks to it over standard input and output. With --http
    clients connect to /mcp and send a token, which 'claimscope serve token create NAME' makes.
    """
    _require_extra()
    from claimscope.checker import Checker
    from claimscope.cli.opening import open_for_reading
    from claimscope.mcp.server import Served, serve_http, serve_stdio
    from claimscope.pipeline.preset import DEFAULT_PRESET

    with open_for_reading(library) as opened:
        served = Served(opened, Checker(opened, preset or DEFAULT_PRESET), state)
        if not http:
            serve_stdio(served)
            return
        told = f"Claimscope serves {opened.location} to assistants at {{}}"
        serve_http(served, host, port, lambda address: typer.echo(told.format(address)))


def _require_extra() -> None:
    from importlib.util import find_spec

    from claimscope.errors import MissingExtraError

    if find_spec("mcp") is None:
        raise MissingExtraError("The server for assistants", "mcp")
