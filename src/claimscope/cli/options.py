"""Options that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        "-l",
        metavar="PATH",
        help="The library's folder, or 'demo' for the built-in one. Default: "
        "$CLAIMSCOPE_LIBRARY, else your own library, else the built-in one.",
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option("--preset", "-p", help="The pipeline to use: a preset's name or a TOML file."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON for machines.")]
