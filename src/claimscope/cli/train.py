"""`claimscope train …`: models of one's own, from labelled claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from claimscope.cli.helping import App

app = App(help="Train models on your own machine.")
_STOPPED = 130


@app.callback(invoke_without_command=True)
def stage(
    context: typer.Context,
    stage: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What to train: retrieval, rationale, label, label-fever, joint, verirel, dense, "
            "vectors, climate-cross-encoder, climate-label, climate-bi-encoder, climate-rnn, "
            "climate-lstm or climate-gru.",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option("--preset", "-p", help="Train the stage as this preset's paper does."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A configuration of your own, instead of the paper's."),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(help="Another network to start from, by name or folder; a trained one, too."),
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="Another data set, or a folder in SciFact's format.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of all that is random.")] = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any setting, such as loop.steps=100."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the model goes. Default: its own name."),
    ] = None,
) -> None:
    """Train a stage of a paper's system; the same command goes on with one that was stopped."""
    if context.invoked_subcommand is not None:
        return
    if stage is None and config is None:
        typer.echo(context.get_help())
        return
    given = _changes(encoder, data, seed, change or [])
    if stage == "joint":
        _joint(context, config or _joint_config(preset), output, given)
        return
    _need_libraries()
    from claimscope.pipeline import preset as presets
    from claimscope.train.stages.config import read_stage
    from claimscope.train.stages.recipes import stage_config

    if config is not None:
        settings = read_stage(config, given)
    else:
        settings = stage_config(str(stage), presets.load(preset) if preset else None, given)
    folder = output or Path(settings.name)
    from claimscope.train.stages.training import StageTraining

    with _shown() as report:
        done = StageTraining(settings, folder, report).run()
    _finish(done, folder, f"The model {settings.name}")


def _changes(
    encoder: str | None, data: str | None, seed: int | None, words: list[str]
) -> dict[str, Any]:
    """Join the options that change a setting; the more particular ones come last."""
    if not words and encoder is None and data is None and seed is None:
        return {}
    _need_libraries()
    from claimscope.train.stages.config import merged
    from claimscope.train.stages.recipes import changes_of

    named = {"encoder": encoder, "data": data}
    short: dict[str, Any] = {key: value for key, value in named.items() if value is not None}
    if seed is not None:
        short["loop"] = {"seed": seed}
    return merged(changes_of(words), short)


def _joint(
    context: typer.Context, config: Path | None, output: Path | None, given: dict[str, Any]
) -> None:
    """Train the joint stage, which has a configuration of another form."""
    from claimscope.errors import ConfigurationError

    if given:
        raise ConfigurationError(
            "The joint stage is set by its configuration alone; give it with --config."
        )
    context.invoke(verifier, config=config, output=output or Path("verifier"))


def _joint_config(preset: str | None) -> Path | None:
    """Find the configuration of a preset's verifier."""
    if preset is None:
        return None
    _need_libraries()
    from claimscope.pipeline import preset as presets
    from claimscope.train.stages.recipes import joint_config

    return joint_config(presets.load(preset))


def _finish(done: bool, folder: Path, what: str) -> None:
    if not done:
        typer.echo(f"Stopped; run the same command again to go on in {folder}.", err=True)
        raise typer.Exit(_STOPPED)
    typer.echo(f"{what} and its card are in {folder}.")


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
    from claimscope.train.verifier.training import VerifierConfig, VerifierTraining

    with as_file(files("claimscope.train") / "configs" / "verifier.toml") as own:
        path = config or own
        settings = read_settings(path, VerifierConfig)
        text = path.read_text("utf-8")
    with _shown() as report:
        done = VerifierTraining(settings, output, text, report).run()
    _finish(done, output, f"The verifier {settings.name}")


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
