"""`claimscope train …`: models of one's own, from labelled claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from claimscope.cli.helping import App
from claimscope.cli.options import StoppedError
from claimscope.errors import InputError

app = App(help="Train models on your own machine.")


@app.callback(invoke_without_command=True)
def stage(
    context: typer.Context,
    stage: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What to train: retrieval, rationale, label, label-fever, verirel, "
            "verirel-roberta, verirel-longformer, dense, vectors, climate-cross-encoder, "
            "climate-label, climate-bi-encoder, climate-rnn, climate-lstm or climate-gru.",
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
        typer.Option(help="The network to start from, by name or folder; it may be a trained one."),
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="Another data set, or a folder in SciFact's format.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The random seed.")] = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any setting, such as loop.steps=100."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the model goes. Default: its own name."),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=V1,V2",
            help="Train with each value and measure the stage alone; several make a grid, and "
            "loop.seed=1,2,3 gives mean and deviation.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="With --sweep: a measure, such as 'R@5'."),
    ] = None,
    split: Annotated[str, typer.Option(help="With --sweep: the split to measure on.")] = "dev",
    measured_in: Annotated[
        str | None,
        typer.Option(metavar="PRESET", help="With --sweep: the pipeline that gets the model."),
    ] = None,
) -> None:
    """Train a stage of a paper's system; the same command goes on with one that was stopped."""
    if context.invoked_subcommand is not None:
        return
    if stage is None and config is None:
        typer.echo(context.get_help())
        return
    _need_libraries()
    given = _changes({"encoder": encoder, "data": data}, seed, change or [])
    if sweep:
        from claimscope.cli.sweeping import SweepOptions, run_sweep

        if stage is None or config is not None:
            raise InputError("A sweep needs the name of a stage; give --stage and no --config.")
        asked = SweepOptions(stage, preset, given, tuple(sweep), split, tuple(measure or ()))
        with _shown() as report:
            run_sweep(asked, output or Path(f"{stage}-sweep"), measured_in, report)
        return
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
        training = StageTraining(settings, folder, report)
        done = training.run()
    if training.replaced:
        typer.echo(
            f"{training.replaced}, is not on this machine; the model learnt from the split "
            f"{settings.instead} instead. Its card says so, too.",
            err=True,
        )
    _finish(done, folder, f"The model {settings.name}")


def _changes(named: dict[str, str | None], seed: int | None, words: list[str]) -> dict[str, Any]:
    """Join the options that change a setting; the more particular ones come last."""
    from claimscope.train.stages.config import merged
    from claimscope.train.stages.recipes import changes_of

    short: dict[str, Any] = {key: value for key, value in named.items() if value is not None}
    if seed is not None:
        short["loop"] = {"seed": seed}
    return merged(changes_of(words), short)


def _finish(done: bool, folder: Path, what: str) -> None:
    if not done:
        raise StoppedError(f"stopped; run the same command again to go on in {folder}.")
    typer.echo(f"{what} and its card are in {folder}.")


@app.command()
def verifier(
    data: Annotated[
        str | None,
        typer.Option(
            help="Labelled claims: a folder in SciFact's format, a data set's name, a .jsonl "
            "file such as the corrections that the page exports, or a .csv or .tsv table with the "
            "columns claim, paper, label and, if known, quote."
        ),
    ] = None,
    library: Annotated[
        str | None,
        typer.Option(
            "--library",
            "-l",
            metavar="PATH",
            help="The library whose papers such a file or table names.",
        ),
    ] = None,
    start: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Another verifier to continue.")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Settings of your own, as TOML, or verirel-verifier for +VeriRel's verifier.",
        ),
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any setting, such as epochs=3."),
    ] = None,
    output: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where checkpoints and the model go.")
    ] = Path("my-verifier"),
) -> None:
    """Continue the shipped verifier on your own labelled claims, and measure it before and after.

    The same command goes on with a training that was stopped.
    """
    _need_libraries()
    from claimscope.models.verifier.onnx_joint import MODEL
    from claimscope.train.stages.config import merged
    from claimscope.train.stages.recipes import own_table
    from claimscope.train.tables import read_table, settings_of
    from claimscope.train.verifier.config import VerifierConfig
    from claimscope.train.verifier.finetune import VerifierTraining
    from claimscope.train.verifier.multivers import WITHOUT_ONNX

    named = config or Path("verifier")
    own = named.name == str(named) and not named.suffix
    table = own_table(str(named)) if own else read_table(named)
    given = {"data": data, "library": library, "start": start}
    table = merged(table, _changes(given, None, change or []))
    settings = settings_of(table, VerifierConfig, config.name if config else "verifier")
    with _shown() as progress:
        report = VerifierTraining(settings, output, progress).run()
    _finish(report is not None, output, "The verifier")
    if report is not None:
        typer.echo(
            f"Before and after on {report.after.abstracts} abstracts of {report.after.claims} "
            "held-out claims, in per cent:\n"
        )
        typer.echo("\n".join(report.table()))
        if not (output / MODEL).is_file():
            typer.echo(f"\n{WITHOUT_ONNX}")
        typer.echo(f"\nUse it: claimscope check --preset {output / 'preset.toml'} CLAIM")


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
