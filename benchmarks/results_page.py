"""Writes RESULTS.md from what run.py measured."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimscope import __version__
from claimscope.measures.intervals import SEED
from climate_grid import DEPTH, K1, B, Grid

if TYPE_CHECKING:
    from run import Measured
    from stand_ins import StandIn

PAPERS = {
    "scifchex": "SciFCheX",
    "verirel": "VeriRel",
    "bert-t5-study": "BERT and T5 study",
    "vert5erini": "VerT5erini",
    "climate": "Climate paper",
}
PACKAGES = ("numpy", "bm25s", "tantivy", "onnxruntime", "tokenizers")


@dataclass(frozen=True)
class Page:
    """All rows with what we measured for them, and the climate grid."""

    rows: Sequence[tuple[dict[str, Any], Measured]]
    grid: Grid | None
    trained: Sequence[StandIn] = ()


def write_page(path: Path, page: Page) -> None:
    """Write the page."""
    path.write_text("\n".join(_lines(page)) + "\n", "utf-8")


def _lines(page: Page) -> Iterator[str]:
    yield "# Reproduction of published figures"
    yield ""
    yield "Written by `python benchmarks/run.py`; do not edit. What the papers are: docs/papers.md."
    yield ""
    yield from _conditions()
    yield ""
    yield from _summary(page)
    for paper, title in PAPERS.items():
        of_paper = [(row, found) for row, found in page.rows if row["paper"] == paper]
        if of_paper:
            yield from _paper(title, of_paper)
            yield from _trained([each for each in page.trained if each.row["paper"] == paper])
        if paper == "climate" and page.grid:
            yield from _grid(page.grid)


def _conditions() -> Iterator[str]:
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    yield f"- machine: {_processor()}, {os.cpu_count()} cores, {_memory_gb():.0f} GB"
    yield f"- date: {datetime.now(UTC):%Y-%m-%d}"
    yield f"- versions: claimscope {__version__}, Python {platform.python_version()}, {versions}"
    yield f"- seeds: nothing measured here is random; bootstrap intervals use seed {SEED}"


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _memory_gb() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


def _summary(page: Page) -> Iterator[str]:
    yield "| paper | figures | measured | same up to the last digit | differ | wait |"
    yield "|---|--:|--:|--:|--:|--:|"
    for paper, title in PAPERS.items():
        rows = [(row, found) for row, found in page.rows if row["paper"] == paper]
        measured = [(row, found) for row, found in rows if found.value is not None]
        decimals = _decimals(rows)
        same = sum(_units_off(row, found, decimals) < 2 for row, found in measured)
        counts = (len(rows), len(measured), same, len(measured) - same, len(rows) - len(measured))
        yield f"| {title} | " + " | ".join(f"{count:,}" for count in counts) + " |"


def _paper(title: str, rows: Sequence[tuple[dict[str, Any], Measured]]) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    decimals = _decimals(rows)
    measured = [(row, found) for row, found in rows if found.value is not None]
    if measured:
        yield ""
        yield "| table | setting | measure | paper | ours | difference | command | remark |"
        yield "|---|---|---|--:|--:|--:|---|---|"
    for row, found in measured:
        yield _row(row, found, decimals)
    yield from _waiting([(row, found) for row, found in rows if found.value is None])


def _row(row: dict[str, Any], found: Measured, decimals: dict[str, int]) -> str:
    digits = decimals[row["table"]] if row["unit"] != "count" else 0
    ours = found.value or 0.0
    off = _units_off(row, found, decimals)
    difference = f"{ours - row['value']:+.{max(digits, 1)}f}"
    if off < 2:
        difference = "same" if off == 0 else "last digit"
    cells = (
        row["table"],
        row["setting"],
        f"`{row['measure']}`",
        f"{row['value']:.{digits}f}",
        f"{ours:.{digits}f}",
        difference,
        f"`{found.command}`",
        row.get("note", ""),
    )
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _waiting(rows: Sequence[tuple[dict[str, Any], Measured]]) -> Iterator[str]:
    """Name what is missing, a line for all figures of one system in one table."""
    if not rows:
        return
    yield ""
    yield "Figures that cannot be measured here, and what they need:"
    yield ""
    yield "| table | system | data | figures | needs |"
    yield "|---|---|---|--:|---|"
    groups = Counter(
        (row["table"], row["system"], f"{row['dataset']} {row['split']}", found.remark)
        for row, found in rows
    )
    for (table, system, data, remark), count in groups.items():
        yield f"| {table} | {system} | {data} | {count} | {remark} |"


def _trained(found: Sequence[StandIn]) -> Iterator[str]:
    """Show what smaller systems trained here give, which are not counted as reproductions."""
    if not found:
        return
    yield ""
    yield "### Trained here, with smaller networks in the place of the paper's"
    yield ""
    yield (
        "By `python benchmarks/train_papers.py`, a few minutes each; settings in "
        "`benchmarks/trainings.toml`. They show that a system trains and runs, not how good it "
        "can be."
    )
    yield ""
    yield "| table | setting | measure | paper | ours | command | what stands in |"
    yield "|---|---|---|--:|--:|---|---|"
    for each in found:
        digits = 3 if each.row["unit"] == "fraction" else 2
        cells = (
            each.row["table"],
            each.row["setting"],
            f"`{each.row['measure']}`",
            f"{each.row['value']:.{digits}f}",
            f"{each.value:.{digits}f}",
            f"`{each.command}`",
            each.remark,
        )
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _decimals(rows: Sequence[tuple[dict[str, Any], Measured]]) -> dict[str, int]:
    """Give the digits after the point that each table prints; TOML drops zeros at the end."""
    found: dict[str, int] = {}
    for row, _ in rows:
        if row["unit"] != "count":
            digits = len(str(row["value"]).partition(".")[2])
            found[row["table"]] = max(digits, found.get(row["table"], 1))
    return found


def _units_off(row: dict[str, Any], found: Measured, decimals: dict[str, int]) -> int:
    """Count by how many units of the last printed digit we differ; papers may cut or round."""
    digits = decimals[row["table"]] if row["unit"] != "count" else 0
    ours = round((found.value or 0.0) * 10.0**digits)
    return abs(ours - round(float(row["value"]) * 10.0**digits))


def _grid(grid: Grid) -> Iterator[str]:
    best = max(
        (recall, k1, b)
        for k1, row in zip(K1, grid.recall, strict=True)
        for b, recall in zip(B, row, strict=True)
    )
    yield ""
    yield "### Grid search of BM25"
    yield ""
    yield (
        f"`macro-R@{DEPTH}` on the {grid.claims} claims of dev over {grid.passages:,} passages. "
        "The paper tunes on the first 200 of 1.2 million passages, does not print its grid, and "
        "finds k1 = 0.5 and b = 0.85 best. Our pool is a subset that holds every gold passage, so "
        "recall here is higher than any on the whole and only the direction can be compared. "
        f"Best here: k1 = {best[1]}, b = {best[2]} with {best[0]:.4f}."
    )
    yield ""
    yield "| k1 | " + " | ".join(f"b = {b}" for b in B) + " |"
    yield "|--:|" + "--:|" * len(B)
    for k1, row in zip(K1, grid.recall, strict=True):
        yield f"| {k1} | " + " | ".join(f"{recall:.4f}" for recall in row) + " |"
