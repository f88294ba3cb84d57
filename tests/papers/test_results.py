"""The pages of results: every selector with every label model is composed, and figures are kept."""

from __future__ import annotations

import importlib
import json
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from claimscope.models.catalogue import CHECKPOINTS

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
ROWS: list[dict[str, Any]] = tomllib.loads((FOLDER / "conditions.toml").read_text("utf-8"))["rows"]
ENCODERS = {"SciBERT": "scibert", "BioBERT": "biobert", "RoBERTa": "roberta"}


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import a module of the benchmarks folder."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module


def test_every_combination_of_scifchex_names_the_models_its_row_needs(benchmark: Any) -> None:
    combinations: ModuleType = benchmark("combinations")
    made = [(row, found) for row in ROWS if (found := combinations.combination(row)) is not None]
    assert len(made) == 108 + 9 + 96 + 24
    assert len({found for row, found in made if row["table"] == "6.4"}) == 9
    assert len({found for row, found in made if row["table"] == "6.6"}) == 8
    for row, found in made:
        models = [each.parameters.get("model", "") for each in found.preset.stages]
        assert {found.selector, found.label} <= set(models) & CHECKPOINTS.keys()
        words = " ".join(row["needs"])
        assert ("VeriSci label predictor" in words) == (found.label == "verisci-label")
        assert ("VeriSci rationale selector" in words) == (found.selector == "verisci-rationale")
        if not found.selector.startswith("verisci"):
            encoder = row["setting"].partition("selector ")[2].partition(",")[0].partition("-")[0]
            assert ENCODERS[encoder] in found.selector


def test_a_stand_in_is_found_again_and_the_pages_show_it(
    benchmark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, page = benchmark("kept_results"), benchmark("results_page")
    monkeypatch.setattr(kept, "FILE", tmp_path / "results.json")
    row = {
        "paper": "climate",
        "table": "1",
        "setting": "BM25, k = 3, dev",
        "measure": "macro-R@3",
        "value": 0.5,
        "unit": "fraction",
        "system": "bm25",
        "needs": [],
    }
    missing = {**row, "setting": "TF-IDF, k = 3, dev", "needs": ["a model"]}
    measured = {kept.key_of(row): kept.Measured(0.22, "command", "", "2026-11-18")}
    key = f"{kept.key_of(row)} | a small one"
    kept.save(kept.Results(measured, {key: kept.Measured(0.3, "other", "a small one", "2026")}))
    assert json.loads((tmp_path / "results.json").read_text())["measured"]
    known = kept.load()
    assert known.measured == measured
    [stand_in] = known.stand_ins([row])
    assert (stand_in.value, stand_in.row) == (0.3, row)
    shown = [(row, known.measured[kept.key_of(row)]), (missing, kept.Measured(None, "", "a model"))]
    page.write_pages(tmp_path, page.Page(shown, (), [stand_in]))
    short = (tmp_path / "RESULTS.md").read_text()
    assert "| 1 | BM25, dev | macro-R@3 | 0.5 | 0.2 | -0.3 |  |" in short
    assert "| 1 | BM25, dev | macro-R@3 | 0.5 | 0.3 | -0.2 | trained here: a small one |" in short
    assert "| 1 | bm25 | 1 figure | 0.5 to 0.5 | not measured |  | a model |" in short
    assert "| Climate paper | 2 | 1 | 0 | 1 | 1 |" in short
    assert "`command`" in (tmp_path / "RESULTS-LIST.md").read_text()


def test_every_kept_figure_belongs_to_a_row(benchmark: Any) -> None:
    kept = benchmark("kept_results")
    known, keys = kept.load(), {kept.key_of(row) for row in ROWS}
    assert known.measured.keys() <= keys
    assert {key.rpartition(" | ")[0] for key in known.trained} <= keys
