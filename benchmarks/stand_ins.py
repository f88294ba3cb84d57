"""Measures systems trained here beside the papers' rows that theirs would give; run.py calls it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from claimscope.datasets.registry import open_dataset
from claimscope.errors import ClaimscopeError
from claimscope.evaluate.experiment import Experiment, run
from claimscope.evaluate.material import Material, gather
from claimscope.evaluate.modes import Mode
from claimscope.measures import evaluate, parse_measure
from claimscope.models.fingerprint import weights_sha256
from claimscope.pipeline import preset as presets
from claimscope.pipeline.preset import needs
from kept_results import StandIn

HERE = Path(__file__).parent
KEPT = HERE.parent / ".benchmarks" / "stand-ins"


def stand_ins(rows: Sequence[dict[str, Any]]) -> list[StandIn]:
    """Measure every stand-in whose models have been trained, in the order of its file."""
    systems = tomllib.loads((HERE / "stand_ins.toml").read_text("utf-8"))["systems"]
    return [found for system in systems for found in _measured(system, rows)]


def _measured(system: dict[str, Any], rows: Sequence[dict[str, Any]]) -> Iterator[StandIn]:
    path = f"benchmarks/systems/{system['system']}.toml"
    for row in rows:
        if row["paper"] != system["paper"] or row["table"] not in system["tables"]:
            continue
        if not row["setting"].startswith(system["setting"]):
            continue
        if row["measure"] in system.get("without", ()):
            continue
        where = [system.get(key, row[key]) for key in ("dataset", "split", "mode")]
        try:
            wanted = parse_measure(row["measure"])
            material = _material(path, *where)
            if material is None:
                return
            value = evaluate(wanted, material.of(wanted))
        except ClaimscopeError as error:
            print(f"{path}: {row['measure']}: {error}")
            continue
        shown = value * (100 if row["unit"] == "percent" else 1)
        command = (
            f"claimscope evaluate -d {where[0]} --split {where[1]} -p {path} --mode {where[2]} "
            f"-m '{row['measure']}'"
        )
        yield StandIn(row, shown, command, system["remark"])


@cache
def _material(path: str, dataset: str, split: str, mode: str) -> Material | None:
    """Run a system; None if one of its models has not been trained yet."""
    loaded = presets.load(str(HERE.parent / path))
    wanted = needs(loaded)
    if not all(need.present for need in wanted):
        return None
    weights = "-".join(weights_sha256(need.folder)[:6] for need in wanted)
    folder = KEPT / f"{dataset}-{split}-{mode}-{loaded.name}-{weights}"
    return gather(run(Experiment(open_dataset(dataset), split, loaded, Mode(mode)), folder))
