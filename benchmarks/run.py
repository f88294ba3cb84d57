"""Measures the published figures that can be measured here, and writes RESULTS.md.

    python benchmarks/run.py [--paper NAME] [--with-models] [--fresh] [--page]

Runs are kept in .benchmarks/ and not repeated; `--with-models` also tries the presets whose
checkpoints are on this machine. The figures are in conditions.toml. Systems that train_papers.py
has trained are measured beside the papers' rows that stand_ins.toml names, from the checkout. What
was measured is kept in results.json with its date; `--page` measures nothing and writes the pages.
"""

from __future__ import annotations

import argparse
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.datasets.registry import open_dataset
from claimscope.errors import ClaimscopeError
from claimscope.evaluate.experiment import Experiment, run
from claimscope.evaluate.material import Material, gather
from claimscope.evaluate.modes import Mode
from claimscope.measures import evaluate, parse_measure
from claimscope.pipeline import preset as presets
from claimscope.pipeline.preset import Preset
from climate_grid import grid_searches
from combinations import MEAN, OF_MEAN, Combination, combination
from comparable import difference
from kept_results import Measured, Results, StandIn, key_of, load, save
from results_page import Page, write_pages
from stand_ins import stand_ins

HERE = Path(__file__).parent
KEPT = HERE.parent / ".benchmarks" / "reproduction"

SYSTEMS = {
    ("scifact", "oracle"): "oracle",
    ("scifact", "tfidf"): "tfidf-verisci",
    ("scifact", "bm25-stop"): "bm25-stop",
    ("scifact", "bm25-whitespace"): "bm25-whitespace",
    ("scifact", "bm25"): "bm25-anserini",
    ("scifact", "vert5erini-bm25"): "bm25-anserini",
    ("climate", "tfidf"): "tfidf",
}
CLIMATE_BM25 = {
    "k1 = 1.2": "bm25-untuned",
    "k1 = 0.5": "bm25-tuned",
    "top 3": "bm25-tuned-top3",
    "top 4": "bm25-tuned-top4",
}
"""Systems in benchmarks/systems/, by data set and name, and for climate by words of the setting."""


def main() -> None:
    """Measure the rows, print how it goes, and write the pages."""
    options = _options()
    if options.fresh:
        shutil.rmtree(KEPT, ignore_errors=True)
    rows = tomllib.loads((HERE / "conditions.toml").read_text("utf-8"))["rows"]
    known = load()
    if not options.page:
        chosen = [row for row in rows if options.paper in (None, row["paper"])]
        for row in chosen:
            _take(known, row, measure(row, options.with_models))
        for each in stand_ins(chosen):
            _take_stand_in(known, each)
        save(known)
    shown = [(row, known.measured.get(key_of(row)) or _waiting(row)) for row in rows]
    write_pages(HERE, Page(shown, grid_searches(), known.stand_ins(rows)))
    print(f"Wrote {HERE / 'RESULTS.md'} and RESULTS-LIST.md.")


def _take(known: Results, row: dict[str, Any], found: Measured) -> None:
    """Keep a figure; what cannot be measured now stays as it was measured before."""
    if found.value is not None:
        known.measured[key_of(row)] = replace(found, date=_today())
        words = f"{row['paper']} {row['table']} | {row['setting']} | {row['measure']}"
        print(f"{words}: paper {row['value']}, ours {_shown(row, found.value)}")


def _take_stand_in(known: Results, each: StandIn) -> None:
    key = f"{key_of(each.row)} | {each.remark}"
    known.trained[key] = Measured(each.value, each.command, each.remark, _today())
    words = f"{each.row['paper']} {each.row['table']} | {each.row['setting']}"
    print(f"{words} | {each.row['measure']}: stand-in {_shown(each.row, each.value)}")


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paper", help="measure only this paper's figures")
    parser.add_argument("--page", action="store_true", help="write the pages from what is kept")
    parser.add_argument("--with-models", action="store_true", help="try presets that need models")
    parser.add_argument("--fresh", action="store_true", help="forget the runs that were kept")
    return parser.parse_args()


def _shown(row: dict[str, Any], value: float) -> str:
    return f"{value:.0f}" if row["unit"] == "count" else f"{value:.4f}"


def measure(row: dict[str, Any], with_models: bool) -> Measured:
    """Measure one row in the paper's unit."""
    if row["mode"] == "statistics":
        return _statistic(row) if not row["needs"] else _waiting(row)
    if with_models and (made := combination(row)) is not None:
        return _combined(row, made)
    system = _system(row)
    if system is None or (row["needs"] and not with_models):
        return _waiting(row)
    command = _command(row, system)
    if row["mode"] not in set(Mode):
        return Measured(None, "", f"no evaluation mode {row['mode']!r} yet")
    if not system.endswith(".toml") and (why := difference(row, presets.load(system))):
        return Measured(None, "", why)
    try:
        data = _material(row["dataset"], row["split"], row["mode"], system)
        wanted = parse_measure(row["measure"])
        value = evaluate(wanted, data.of(wanted))
    except ClaimscopeError as error:
        return Measured(None, command, str(error))
    return Measured(value * (100 if row["unit"] == "percent" else 1), command)


def _combined(row: dict[str, Any], made: Combination) -> Measured:
    """Measure a selector with a label model; two tables print the mean of the four measures."""
    command = made.command(row["mode"])
    base, _, part = row["measure"].partition(" ")
    names = [f"{name} {part}" for name in OF_MEAN] if base == MEAN else [row["measure"]]
    try:
        data = _run(row["dataset"], row["split"], row["mode"], made.preset)
        values = [evaluate(wanted, data.of(wanted)) for wanted in map(parse_measure, names)]
    except ClaimscopeError as error:
        return Measured(None, command, str(error))
    return Measured(sum(values) / len(values), command)


def _waiting(row: dict[str, Any]) -> Measured:
    return Measured(None, "", "; ".join(row["needs"]) or f"no preset for {row['system']} yet")


def _system(row: dict[str, Any]) -> str | None:
    """Give the preset of a row: a file of benchmarks/systems, or one of the package."""
    if row["dataset"] == "climate" and row["system"] == "bm25":
        return next(
            (_file(name) for words, name in CLIMATE_BM25.items() if words in row["setting"]), None
        )
    name = SYSTEMS.get((row["dataset"], row["system"]))
    if name is not None and (row["mode"] == "retrieval" or row["system"] not in presets.names()):
        return _file(name)
    return row["system"] if row["system"] in presets.names() else None


def _file(name: str) -> str:
    return f"benchmarks/systems/{name}.toml"


def _command(row: dict[str, Any], system: str) -> str:
    return (
        f"claimscope evaluate -d {row['dataset']} --split {row['split']} "
        f"-p {system} --mode {row['mode']} -m '{row['measure']}'"
    )


@cache
def _material(dataset: str, split: str, mode: str, system: str) -> Material:
    """Run a system, or take the run that was kept, and read what measures need."""
    name = str(HERE.parent / system) if system.endswith(".toml") else system
    return _run(dataset, split, mode, presets.load(name))


def _run(dataset: str, split: str, mode: str, preset: Preset) -> Material:
    folder = KEPT / f"{dataset}-{split}-{mode}-{preset.name}"
    experiment = Experiment(open_dataset(dataset), split, preset, Mode(mode))
    return gather(run(experiment, folder))


def _statistic(row: dict[str, Any]) -> Measured:
    """Count what a row counts: claims, kinds of labels, or claims with one label."""
    name = row["dataset"]
    command = f"claimscope data describe {name}"
    try:
        dataset = open_dataset(name)
        labels = [each.verdict for each in _claims(dataset, row["split"])]
    except ClaimscopeError as error:
        return Measured(None, command, str(error))
    what = row["measure"]
    if what == "claim count":
        return Measured(len(labels), command)
    if what == "label kinds":
        return Measured(len(set(labels) - {None}), command)
    if what.startswith("label count "):
        wanted = what.removeprefix("label count ")
        return Measured(sum(each is not None and each.value == wanted for each in labels), command)
    return Measured(None, command, f"no count named {what!r} yet")


def _claims(dataset: Dataset, split: str) -> Iterator[LabelledClaim]:
    splits = list(dataset.card.splits) if split == "all" else [split]
    for each in splits:
        yield from dataset.claims(each)


if __name__ == "__main__":
    main()
