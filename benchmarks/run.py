"""Measures the published figures that can be measured here, and writes RESULTS.md.

    python benchmarks/run.py [--paper NAME] [--with-models] [--fresh]

Runs are kept in .benchmarks/ and not repeated; `--with-models` also tries the presets whose
checkpoints are on this machine. The figures are in conditions.toml. Systems that train_papers.py
has trained are measured beside the papers' rows that stand_ins.toml names, from the checkout.
"""

from __future__ import annotations

import argparse
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
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
from climate_grid import grid_search
from comparable import difference
from results_page import Page, write_page
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


@dataclass(frozen=True)
class Measured:
    """What we measure for a row, or why we cannot."""

    value: float | None
    command: str
    remark: str = ""


def main() -> None:
    """Measure the rows, print how it goes, and write the page."""
    options = _options()
    if options.fresh:
        shutil.rmtree(KEPT, ignore_errors=True)
    rows = tomllib.loads((HERE / "conditions.toml").read_text("utf-8"))["rows"]
    chosen = [row for row in rows if options.paper in (None, row["paper"])]
    measured = []
    for row in chosen:
        found = measure(row, options.with_models)
        measured.append(found)
        if found.value is not None:
            words = f"{row['paper']} {row['table']} | {row['setting']} | {row['measure']}"
            print(f"{words}: paper {row['value']}, ours {_shown(row, found.value)}")
    trained = stand_ins(chosen)
    for each in trained:
        words = f"{each.row['paper']} {each.row['table']} | {each.row['setting']}"
        print(f"{words} | {each.row['measure']}: stand-in {_shown(each.row, each.value)}")
    page = Page(list(zip(chosen, measured, strict=True)), grid_search(), trained)
    if options.paper is None:
        write_page(HERE / "RESULTS.md", page)
        print(f"Wrote {HERE / 'RESULTS.md'}.")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paper", help="only this paper's figures; RESULTS.md is left alone")
    parser.add_argument("--with-models", action="store_true", help="try presets that need models")
    parser.add_argument("--fresh", action="store_true", help="forget the runs that were kept")
    return parser.parse_args()


def _shown(row: dict[str, Any], value: float) -> str:
    return f"{value:.0f}" if row["unit"] == "count" else f"{value:.4f}"


def measure(row: dict[str, Any], with_models: bool) -> Measured:
    """Measure one row in the paper's unit."""
    if row["mode"] == "statistics":
        return _statistic(row) if not row["needs"] else _waiting(row)
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
    loaded = presets.load(name)
    folder = KEPT / f"{dataset}-{split}-{mode}-{loaded.name}"
    experiment = Experiment(open_dataset(dataset), split, loaded, Mode(mode))
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
