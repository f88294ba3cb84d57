"""`claimscope doctor`: what is here, what is missing, and what to do about it."""

from __future__ import annotations

import sys
from importlib import metadata, util

import typer

from claimscope._wording import install_advice
from claimscope.cli.options import LibraryOption

_CORE = (
    "numpy",
    "tantivy",
    "bm25s",
    "onnxruntime",
    "tokenizers",
    "lxml",
    "bibtexparser",
    "pypdfium2",
)
_EXTRAS = {
    "mcp": ("mcp", "uvicorn"),
    "serve": ("fastapi", "uvicorn", "python_multipart"),
    "papers": ("torch", "transformers", "safetensors", "simplemma"),
    "train": ("torch", "transformers", "onnx"),
    "cluster": ("qdrant_client", "distributed", "cryptography", "pyarrow"),
}


def doctor(library: LibraryOption = None) -> None:
    """Show versions, extras, models, threads and the library's health."""
    import os
    import platform

    from claimscope._version import __version__
    from claimscope.cli.render import console

    out = console()
    out.print(f"claimscope {__version__}, Python {platform.python_version()}, {platform.system()}")
    out.print(f"threads: {os.cpu_count()}")
    out.print("packages: " + ", ".join(f"{name} {metadata.version(name)}" for name in _CORE))
    for extra, modules in _EXTRAS.items():
        missing = [name for name in modules if util.find_spec(name) is None]
        state = f"missing {', '.join(missing)}: {install_advice(extra)}"
        typer.echo(f"extra {extra}: {state if missing else 'installed'}")
    _presets()
    if not _library(library):
        sys.exit(1)


_ASKING = frozenset({"llm", "second-opinion"})
"""Stages that ask a language model."""


def _presets() -> None:
    import os

    from claimscope.models.chat.server import MODEL, URL
    from claimscope.models.locate import models_folder
    from claimscope.pipeline import preset
    from claimscope.pipeline.preset import needs

    for name in preset.names():
        lacking = [
            need.model if need.megabytes is None else f"{need.model} ({need.megabytes:,} MB)"
            for need in needs(preset.load(name))
            if not need.present
        ]
        unnamed = [each for each in (URL, MODEL) if not os.environ.get(each)]
        if unnamed and any(stage.name in _ASKING for stage in preset.load(name).stages):
            lacking.append(f"a language model's server: set {' and '.join(unnamed)}")
        typer.echo(f"preset {name}: {'lacks ' + ', '.join(lacking) if lacking else 'ready'}")
    typer.echo(
        f"models are stored in {models_folder()}, one folder per model; "
        "'claimscope models list' says where they come from, and 'claimscope models get NAME' "
        "fetches one"
    )


def _library(argument: str | None) -> bool:
    """Say whether the library is sound; a library that cannot be opened is not."""
    from claimscope._wording import counted
    from claimscope.cli.opening import open_for_reading
    from claimscope.errors import LibraryError

    try:
        with open_for_reading(argument) as opened:
            problems = list(opened.verify())
            state = counted(len(problems), "problem") if problems else "sound"
            typer.echo(f"library {opened.location}: {counted(len(opened), 'document')}, {state}")
            for problem in problems[:10]:
                typer.echo(f"  {problem.fault.value}: {problem.sentence}")
            return not problems
    except LibraryError as error:
        typer.echo(f"library: {error}")
        return False
