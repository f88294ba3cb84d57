"""Writes RESULTS.md, a table for each paper, and RESULTS-LIST.md, every figure with its command."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from claimscope import __version__
from claimscope.measures.intervals import SEED
from climate_grid import Grid
from kept_results import Measured, StandIn

PAPERS = {
    "scifchex": "SciFCheX",
    "verirel": "VeriRel",
    "bert-t5-study": "BERT and T5 study",
    "vert5erini": "VerT5erini",
    "climate": "Climate paper",
}
REMARKS = {
    "climate": (
        "Tables 2 to 4, rows trained here: on 16 November 2026 with earlier settings (passages "
        "joined by a space, 128 and 512 tokens, feed-forward width 256, a classifier that learnt "
        "from gold passages alone), not yet again with those of docs/papers.md.",
        "`python benchmarks/train_papers.py climate-cross-encoder-256 climate-label-256 "
        "climate-label-gold-256` trains them, and `python benchmarks/run.py --paper climate` "
        "measures them.",
        "Tables 4 and 5 at the other widths and numbers of heads: not trained. `claimscope train "
        "--stage climate-cross-encoder --sweep scratch.width=256,512,768,1024 --measured-in "
        "benchmarks/systems/climate-reranked10.toml -m climate-F` gives table 4, and `--sweep "
        "scratch.heads=2,4,6,8` in the place of the widths gives table 5.",
        "Table 1 and the BM25 rows of table 2 need no training; their settings are those of "
        "docs/papers.md.",
    )
}
"""What holds for several rows of a paper."""
PACKAGES = ("numpy", "bm25s", "tantivy", "onnxruntime", "tokenizers")
_DEPTH = re.compile(r", k = \d+")
_NEEDS = 3
_NOT_COMPARABLE = "not comparable"
Row = tuple[dict[str, Any], Measured]


@dataclass(frozen=True)
class Page:
    """All rows with what we measured for them, and the climate grids."""

    rows: Sequence[Row]
    grids: Sequence[Grid] = ()
    trained: Sequence[StandIn] = ()


def write_pages(folder: Path, page: Page) -> None:
    """Write both pages."""
    (folder / "RESULTS.md").write_text("\n".join(_readable(page)) + "\n", "utf-8")
    (folder / "RESULTS-LIST.md").write_text("\n".join(_listed(page)) + "\n", "utf-8")


def _readable(page: Page) -> Iterator[str]:
    yield "# Published figures beside ours"
    yield ""
    yield (
        "Written by `python benchmarks/run.py`; do not edit. docs/papers.md says what the papers "
        "built, and [the long list](RESULTS-LIST.md) has every figure with its command."
    )
    yield ""
    yield "- **same:** equal, up to one unit of the last printed digit."
    yield (
        "- **trained here:** a smaller network stands in the place of the paper's "
        "(`python benchmarks/train_papers.py`). It shows that the system trains and runs."
    )
    yield "- **not measured:** weights or data are not on this machine; the last column names them."
    yield (
        "- Values in a cell are in the order of the measures, in the paper's unit. Of precision, "
        "recall and F1 only F1 is shown."
    )
    yield ""
    yield from _summary(page)
    for paper, title in PAPERS.items():
        rows = [row for row in page.rows if row[0]["paper"] == paper]
        if rows:
            trained = [each for each in page.trained if each.row["paper"] == paper]
            yield from _paper(title, REMARKS.get(paper, ()), rows, trained)
    for grid in page.grids:
        yield from _grid(grid)


def _summary(page: Page) -> Iterator[str]:
    yield "| paper | figures | measured | same | differ | not measured |"
    yield "|---|--:|--:|--:|--:|--:|"
    for paper, title in PAPERS.items():
        rows = [(row, found) for row, found in page.rows if row["paper"] == paper]
        measured = [(row, found) for row, found in rows if found.value is not None]
        decimals = _decimals(rows)
        same = sum(_units_off(row, found.value, decimals) < 2 for row, found in measured)
        counts = (len(rows), len(measured), same, len(measured) - same, len(rows) - len(measured))
        yield f"| {title} | " + " | ".join(f"{count:,}" for count in counts) + " |"


def _paper(
    title: str, remarks: Sequence[str], rows: Sequence[Row], trained: Sequence[StandIn]
) -> Iterator[str]:
    """Show a paper as one table, in the order of its own tables."""
    yield from ("", f"## {title}", "")
    if remarks:
        yield from (*(f"- {each}" for each in remarks), "")
    yield "| table | what | measures | published | ours | difference | why |"
    yield "|---|---|---|---|---|---|---|"
    decimals = _decimals(rows)
    for table in dict.fromkeys(row["table"] for row, _ in rows):
        some = [(row, found) for row, found in rows if row["table"] == table]
        lines = [(row, found.value, "") for row, found in some if found.value is not None]
        lines += [
            (each.row, each.value, each.remark) for each in trained if each.row["table"] == table
        ]
        groups: dict[tuple[str, str], list[tuple[dict[str, Any], float]]] = {}
        for row, value, remark in lines:
            key = (_DEPTH.sub("", row["setting"]), remark)
            groups.setdefault(key, []).append((row, value))
        for (what, remark), group in groups.items():
            yield _group(table, what, remark, group, decimals)
        yield from _unmeasured(table, [row for row, found in some if found.value is None])


def _group(
    table: str,
    what: str,
    remark: str,
    group: Sequence[tuple[dict[str, Any], float]],
    decimals: dict[str, int],
) -> str:
    group = _headlines(group)
    digits = decimals.get(table, 0)
    shown = [0 if row["unit"] == "count" else digits for row, _ in group]
    theirs = [f"{row['value']:.{n}f}" for (row, _), n in zip(group, shown, strict=True)]
    ours = [f"{value:.{n}f}" for (_, value), n in zip(group, shown, strict=True)]
    changes = [
        "same" if _units_off(row, value, decimals) < 2 else f"{value - row['value']:+.{max(n, 1)}f}"
        for (row, value), n in zip(group, shown, strict=True)
    ]
    difference = "same" if set(changes) == {"same"} else ", ".join(changes)
    notes = dict.fromkeys(row["note"] for row, _ in group if row.get("note"))
    if _NOT_COMPARABLE in f"{remark} {' '.join(notes)}":
        difference = _NOT_COMPARABLE
    why = f"trained here: {remark}" if remark else "; ".join(notes)
    measures = ", ".join(row["measure"].removeprefix("label count ") for row, _ in group)
    return _line(table, what, measures, ", ".join(theirs), ", ".join(ours), difference, why)


def _headlines(
    group: Sequence[tuple[dict[str, Any], float]],
) -> Sequence[tuple[dict[str, Any], float]]:
    """Leave precision and recall to the long list where there is F1."""
    return [each for each in group if each[0]["measure"].endswith(" F1")] or group


def _unmeasured(table: str, rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Say in one line what of a table was not measured, and what it needs."""
    if not rows:
        return
    systems = ", ".join(dict.fromkeys(row["system"] for row in rows))
    needs = list(dict.fromkeys(need for row in rows for need in row["needs"]))
    more = f"; {len(needs) - _NEEDS} more" if len(needs) > _NEEDS else ""
    why = "; ".join(needs[:_NEEDS]) + more
    values = [float(row["value"]) for row in rows]
    span = f"{min(values):g} to {max(values):g}"
    count = f"{len(rows):,} figures" if len(rows) > 1 else "1 figure"
    yield _line(table, systems, count, span, "not measured", "", why)


def _line(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _listed(page: Page) -> Iterator[str]:
    """List every figure that was measured, with its command and date, and what the others need."""
    yield "# Every published figure"
    yield ""
    yield "Written by `python benchmarks/run.py`; do not edit. [Published beside ours](RESULTS.md)"
    yield "has the same figures in a table for each paper."
    yield ""
    yield f"- machine of the last run: {_processor()}, {os.cpu_count()} cores"
    yield f"- date of the last run: {datetime.now(UTC):%Y-%m-%d}; each line has its own"
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    yield f"- versions: claimscope {__version__}, Python {platform.python_version()}, {versions}"
    yield f"- seeds: nothing measured here is random; bootstrap intervals use seed {SEED}"
    for paper, title in PAPERS.items():
        rows = [(row, found) for row, found in page.rows if row["paper"] == paper]
        trained = [each for each in page.trained if each.row["paper"] == paper]
        if rows:
            yield from _list(title, rows, trained)


def _list(title: str, rows: Sequence[Row], trained: Sequence[StandIn]) -> Iterator[str]:
    decimals = _decimals(rows)
    yield from ("", f"## {title}", "")
    yield "| table | setting | measure | paper | ours | date | command |"
    yield "|---|---|---|--:|--:|---|---|"
    shown = [(row, found.value, found.date, found.command) for row, found in rows]
    shown += [(each.row, each.value, each.date, each.command) for each in trained]
    for row, value, date, command in shown:
        if value is None:
            continue
        digits = 0 if row["unit"] == "count" else decimals[row["table"]]
        figures = (f"{row['value']:.{digits}f}", f"{value:.{digits}f}")
        yield _line(
            row["table"], row["setting"], f"`{row['measure']}`", *figures, date, f"`{command}`"
        )
    waiting: dict[tuple[str, str, str], int] = {}
    for row, found in rows:
        if found.value is None:
            key = (row["table"], _DEPTH.sub("", row["setting"]), found.remark)
            waiting[key] = waiting.get(key, 0) + 1
    if waiting:
        yield from ("", f"Not measured for {title}:", "")
        yield "| table | setting | figures | needs |"
        yield "|---|---|--:|---|"
    for (table, setting, remark), count in waiting.items():
        yield _line(table, setting, count, remark)


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _decimals(rows: Sequence[Row]) -> dict[str, int]:
    """Give the digits after the point that each table prints; TOML drops zeros at the end."""
    found: dict[str, int] = {}
    for row, _ in rows:
        if row["unit"] != "count":
            digits = len(str(row["value"]).partition(".")[2])
            found[row["table"]] = max(digits, found.get(row["table"], 1))
    return found


def _units_off(row: dict[str, Any], value: float | None, decimals: dict[str, int]) -> int:
    """Count by how many units of the last printed digit we differ; papers may cut or round."""
    digits = decimals[row["table"]] if row["unit"] != "count" else 0
    ours = round((value or 0.0) * 10.0**digits)
    return abs(ours - round(float(row["value"]) * 10.0**digits))


def _grid(grid: Grid) -> Iterator[str]:
    """Show a grid, with what the authors' code printed in brackets."""
    best = max(
        (recall, k1, b)
        for k1, row in zip(grid.k1, grid.recall, strict=True)
        for b, recall in zip(grid.b, row, strict=True)
    )
    code = "in brackets what the authors' code printed" if grid.published else "the grid is ours"
    yield from ("", f"### Climate paper: grid search of BM25, first {grid.depth}", "")
    yield (
        f"`macro-R@{grid.depth}` on the {grid.claims} claims of dev over {grid.passages:,} "
        f"passages by `python benchmarks/climate_grid.py`; {code}. The paper takes k1 = 0.5 and "
        "b = 0.85 for 1.2 million passages, of which ours are a part that holds every gold one. "
        f"Best here: k1 = {best[1]}, b = {best[2]} with {best[0]:.4f}."
    )
    yield ""
    yield "| k1 | " + " | ".join(f"b = {b}" for b in grid.b) + " |"
    yield "|--:|" + "--:|" * len(grid.b)
    for place, (k1, row) in enumerate(zip(grid.k1, grid.recall, strict=True)):
        theirs = grid.published[place] if grid.published else [None] * len(row)
        cells = (
            f"{ours:.4f}" + (f" ({said:.4f})" if said is not None else "")
            for ours, said in zip(row, theirs, strict=True)
        )
        yield _line(k1, *cells)
