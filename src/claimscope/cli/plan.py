"""`claimscope plan`: what a corpus and a stream of claims need, from measured rates."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from claimscope.cli.options import JsonOption

_FACTORS = {"K": 10**3, "M": 10**6, "G": 10**9}


def _count(text: str | int) -> int:
    """Read a number written as 36M, 500K or 36000000; a default is one already."""
    word = str(text).strip().replace(",", "").replace("_", "").upper()
    factor = _FACTORS.get(word[-1:], 1)
    try:
        return round(float(word.removesuffix(word[-1:]) if factor > 1 else word) * factor)
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is no number; write 36M or 36000000.") from None


def plan(
    documents: Annotated[
        int, typer.Option(metavar="NUMBER", parser=_count, help="Papers, such as 36M.")
    ],
    vectors: Annotated[str, typer.Option(help="static or dense.")] = "static",
    claims_per_day: Annotated[
        int, typer.Option(metavar="NUMBER", parser=_count, help="Claims to check each day.")
    ] = 10_000,
    replicas: Annotated[int, typer.Option(min=1, help="Copies of each paper on the nodes.")] = 2,
    cores: Annotated[int, typer.Option(min=1, help="Cores that build the library.")] = 16,
    node_memory: Annotated[float, typer.Option(help="GB of memory of each Qdrant node.")] = 64,
    core_hour: Annotated[float, typer.Option(help="What an hour of a core costs you.")] = 0.05,
    json: JsonOption = False,
) -> None:
    """Estimate memory, disk, nodes, hours and cost for a large library on Qdrant and Dask.

    Every line shows its formula; the rates were measured by the commands below them.
    """
    import json as json_format
    from dataclasses import asdict

    from rich.table import Table

    from claimscope.batch.plan import Wish, rates
    from claimscope.batch.plan import plan as estimate
    from claimscope.cli.render import console

    wish = Wish(documents, vectors, claims_per_day, replicas, cores, node_memory, core_hour)
    lines, measured = estimate(wish), rates()
    if json:
        record = {
            "plan": [asdict(line) for line in lines],
            "rates": {name: asdict(rate) for name, rate in measured.items()},
        }
        sys.stdout.write(json_format.dumps(record, ensure_ascii=False) + "\n")
        return
    table = Table("what", "estimate", "formula", box=None, pad_edge=False, header_style="bold")
    for line in lines:
        table.add_row(line.name, _amount(line.value, line.unit), line.formula)
    shown = Table("rate", "measured", "by", box=None, pad_edge=False, header_style="bold")
    for name, rate in measured.items():
        shown.add_row(name, f"{rate.value:g} {rate.unit}", f"{rate.command}\n{rate.about}")
    out = console()
    out.print(table)
    out.print("\nExtrapolated in proportion from these measured rates:\n")
    out.print(shown)


def _amount(value: float, unit: str) -> str:
    number = f"{value:,.0f}" if value == int(value) or value >= 100 else f"{value:,.1f}"
    return f"{number} {unit}".strip()
