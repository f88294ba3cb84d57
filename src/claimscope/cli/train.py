"""`claimscope train …`: models of one's own, from labelled claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Train models on your own machine.", no_args_is_help=True)
_STOPPED = 130


@app.callback()
def _group() -> None:
    """Keep `verifier` a word of its own while it is the only command."""


@app.command()
def verifier(
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="What to train, as TOML. Default: what trains the own verifier."
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where checkpoints and the model go.")
    ] = Path("verifier"),
) -> None:
    """Train a verifier; the same command goes on with a training that was stopped."""
    from importlib.resources import as_file, files

    _need_libraries()
    from claimscope.train.tables import read_settings
    from claimscope.train.verifier import VerifierConfig, VerifierTraining

    with as_file(files("claimscope.train") / "configs" / "verifier.toml") as own:
        path = config or own
        settings = read_settings(path, VerifierConfig)
        text = path.read_text("utf-8")
    with _shown() as report:
        done = VerifierTraining(settings, output, text, report).run()
    if not done:
        typer.echo(f"Stopped; run the same command again to go on in {output}.", err=True)
        raise typer.Exit(_STOPPED)
    typer.echo(f"The verifier {settings.name} and its card are in {output}.")


def _need_libraries() -> None:
    from importlib.util import find_spec

    from claimscope.errors import MissingExtraError

    for name in ("torch", "transformers", "safetensors", "onnx"):
        if find_spec(name) is None:
            raise MissingExtraError(f"Training (for its library {name})", "train")


@contextmanager
def _shown() -> Iterator[Callable[[str, int, int], None]]:
    """Show the steps of each stage where a person is looking."""
    from rich.progress import Progress, TaskID

    from claimscope.cli.render import console

    out = console(error=True)
    with Progress(console=out, disable=not out.is_terminal) as shown:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = shown.add_task(stage, total=total)
            shown.update(tasks[stage], completed=done)

        yield report
