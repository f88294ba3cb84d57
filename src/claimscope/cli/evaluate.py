"""`claimscope evaluate`: presets on a benchmark, scored by the official rules, with reasons."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimscope.cli.options import JsonOption

if TYPE_CHECKING:
    from claimscope.evaluate.experiment import Experiment
    from claimscope.evaluate.folder import RunFolder
    from claimscope.evaluate.scoring import Scores
    from claimscope.measures import Measure

_SIDE_BY_SIDE = 4
"""Systems that fit beside each other; more are shown below each other, by headline measures."""


def evaluate(
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="A data set's name, or beir:FOLDER.")
    ] = None,
    split: Annotated[str, typer.Option(help="The split to evaluate on.")] = "dev",
    preset: Annotated[
        list[str] | None,
        typer.Option("--preset", "-p", help="A preset or a TOML file; several are compared."),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            help="open, retrieval, oracle-abstracts, oracle-rationales, selector-alone, "
            "labeller-tfidf or labeller-bm25."
        ),
    ] = "open",
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="A measure, such as 'R@20'. Default: all that apply."),
    ] = None,
    repository: Annotated[
        bool, typer.Option("--repository", help="Also score as SciFact's repository does.")
    ] = False,
    seeds: Annotated[
        str | None, typer.Option(help="Seeds to repeat the run with, such as 1,2,3.")
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STAGE.PARAMETER=V1,V2",
            help="Evaluate the preset with each value of a parameter, such as "
            "'rerank.drop-off.drop=0.01,0.05'; several make a grid.",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Evaluate the first N claims.")] = None,
    library: Annotated[
        Path | None, typer.Option(help="Check against this library, not the data set's documents.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Save the run here; the same command resumes it."),
    ] = None,
    run: Annotated[
        list[Path] | None, typer.Option("--run", help="Score a saved run again; may be repeated.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Score a file in the SciFact leaderboard's format.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a report to this HTML file.")] = None,
    by_kind: Annotated[
        bool, typer.Option("--by-kind", help="Also score claims with numbers, rare terms and such.")
    ] = False,
    plausibility: Annotated[
        Path | None,
        typer.Option(
            help="Write a page on which a person marks each abstract as plausible or not."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Evaluate presets on a data set, or score saved runs and prediction files again."""
    from claimscope.cli.evaluation_pages import (
        check_report,
        show_kinds,
        write_plausibility_page,
        write_report_page,
    )
    from claimscope.cli.outputs import require_writable
    from claimscope.errors import InputError
    from claimscope.measures import parse_measure

    require_writable(report)
    require_writable(plausibility)
    chosen = [parse_measure(name) for name in measure or ()]
    if report is not None:
        check_report(report, predictions)
    with ExitStack() as stack:
        scored: list[tuple[RunFolder | None, Scores]]
        if run or predictions:
            scored = _kept(run or [], dataset, split, predictions, chosen, repository)
        elif dataset is None:
            raise InputError(
                "There is nothing to evaluate; give --dataset, --run or --predictions."
            )
        else:
            made = _experiments(
                stack, dataset, split, preset, sweep or [], mode, seeds, limit, library
            )
            folders = _run_all(made, _base(stack, output))
            scored = [_scored(folder, chosen, repository) for folder in folders]
        scored = _told_apart(scored)
        if report is not None:
            write_report_page(report, scored)
        _show([scores for _, scores in scored], json)
        kept = [folder for folder, _ in scored if folder is not None]
        if by_kind:
            show_kinds(kept, json)
        if plausibility is not None:
            write_plausibility_page(plausibility, kept)
    if report is not None:
        typer.echo(f"Wrote {report}.", err=True)


def _base(stack: ExitStack, output: Path | None) -> Path:
    """Give the folder to keep runs in, or one that is gone at the end."""
    from tempfile import TemporaryDirectory

    return output or Path(stack.enter_context(TemporaryDirectory(prefix="claimscope-")))


def _experiments(
    stack: ExitStack,
    dataset: str,
    split: str,
    names: Sequence[str] | None,
    sweep: Sequence[str],
    mode: str,
    seeds: str | None,
    limit: int | None,
    library: Path | None,
) -> list[Experiment]:
    """Make an experiment of every preset and seed."""
    from claimscope.datasets.registry import open_dataset
    from claimscope.errors import UnknownNameError
    from claimscope.evaluate.experiment import Experiment
    from claimscope.evaluate.modes import Mode
    from claimscope.evaluate.variants import variants
    from claimscope.library.local import LocalLibrary
    from claimscope.pipeline import preset as presets

    if mode not in set(Mode):
        raise UnknownNameError("mode", mode, list(Mode))
    opened = open_dataset(dataset)
    against = stack.enter_context(LocalLibrary(library)) if library else None
    return [
        Experiment(opened, split, variant, Mode(mode), seed, limit, against)
        for name in names or [presets.DEFAULT_PRESET]
        for variant in variants(presets.load(name), sweep)
        for seed in _parse_seeds(seeds)
    ]


def _parse_seeds(text: str | None) -> list[int | None]:
    from claimscope.errors import InputError

    if text is None:
        return [None]
    try:
        return [int(word) for word in text.replace(",", " ").split()] or [None]
    except ValueError:
        raise InputError(f"{text!r} are not seeds; give whole numbers, such as 1,2,3.") from None


def _run_all(experiments: Sequence[Experiment], base: Path) -> list[RunFolder]:
    """Run into the folder itself, or into a folder each where there are several."""
    from claimscope.evaluate.experiment import run

    folders = []
    for each in experiments:
        seed = "" if each.seed is None else f"-seed{each.seed}"
        several = re.sub(r"[^\w.=@-]+", "-", f"{each.preset.name}-{each.mode}{seed}")
        folder = base if len(experiments) == 1 else base / several
        with _progress(f"Evaluating {each.preset.name}") as told:
            folders.append(run(each, folder, on_progress=told))
    return folders


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar once the number of claims is known."""
    from claimscope.cli.progress import filling

    with ExitStack() as stack:
        shown: list[Callable[[int], None]] = []
        seen = [0]

        def told(done: int, total: int) -> None:
            if not shown:
                shown.append(stack.enter_context(filling(what, total)))
            shown[0](done - seen[0])
            seen[0] = done

        yield told


def _kept(
    runs: Sequence[Path],
    dataset: str | None,
    split: str,
    predictions: Path | None,
    measures: Sequence[Measure],
    repository: bool,
) -> list[tuple[RunFolder | None, Scores]]:
    """Score kept runs, and a prediction file after them."""
    from claimscope.datasets.registry import open_dataset
    from claimscope.errors import InputError
    from claimscope.evaluate.folder import RunFolder
    from claimscope.evaluate.predictions import gather_predictions
    from claimscope.evaluate.scoring import score

    scored = [_scored(RunFolder(path), measures, repository) for path in runs]
    if predictions is None:
        return scored
    if dataset is None:
        raise InputError(
            "Name the data set of the predictions with --dataset, and its split with --split."
        )
    material = gather_predictions(open_dataset(dataset), split, predictions)
    return [*scored, (None, score(material, measures, repository))]


def _scored(
    folder: RunFolder, measures: Sequence[Measure], repository: bool
) -> tuple[RunFolder | None, Scores]:
    from claimscope.evaluate.material import gather
    from claimscope.evaluate.scoring import score

    return folder, score(gather(folder), measures, repository)


def _told_apart(
    scored: Sequence[tuple[RunFolder | None, Scores]],
) -> list[tuple[RunFolder | None, Scores]]:
    from claimscope.evaluate.compare import told_apart

    folders = [folder for folder, _ in scored]
    places = [folder.path.name if folder else "" for folder in folders]
    named = told_apart([scores for _, scores in scored], places)
    return list(zip(folders, named, strict=True))


def _show(scored: Sequence[Scores], json: bool) -> None:
    """Show all runs; two systems are tested against each other, seeds are summarised."""
    import json as json_format

    from claimscope.cli import scores as shown
    from claimscope.cli.render import console
    from claimscope.evaluate.compare import by_system, contrast_headlines, repeated

    systems = by_system(scored)
    summaries = [repeated(runs) for runs in systems if len(runs) > 1]
    beside = len(systems) <= _SIDE_BY_SIDE
    tests = contrast_headlines([runs[0] for runs in systems]) if beside or json else []
    if json:
        record = {
            "runs": [shown.scores_record(each) for each in scored],
            "comparisons": [shown.contrast_record(names, each) for names, each in tests],
            "repeated": [shown.repeated_record(each) for each in summaries],
        }
        sys.stdout.write(json_format.dumps(record, ensure_ascii=False) + "\n")
        return
    out = console()
    if beside:
        shown.show_scores(scored, out)
        for names, each in tests:
            shown.show_contrasts(names, each, out)
    else:
        shown.show_rows(scored, out)
    for summary in summaries:
        shown.show_repeated(summary, out)
