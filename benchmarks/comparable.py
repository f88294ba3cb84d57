"""Says which published figures a preset of the package is the same system for.

Papers vary a system in ways that a row's `system` does not say: other negatives, other encoders,
more passages. Such a row waits for a system of its own and is never set beside the preset's figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimscope.measures import parse_measure
from claimscope.pipeline.preset import Preset
from claimscope.pipeline.stage import Kind

SAME: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "verisci": {
        "scifchex": ("VeriSci, ", "selector RoBERTa-large, label RoBERTa*, gold abstracts"),
        "vert5erini": ("VeriSci, ", "VeriSci with gold", "RoBERTa-large of VeriSci"),
        "bert-t5-study": ("VeriSci, ", "RoBERTa-large of VeriSci"),
    },
    "vert5erini": {
        "scifchex": ("VerT5erini, ",),
        "vert5erini": ("VerT5erini (T5), dev", "VerT5erini (T5), test", "VerT5erini with", "T5, "),
        "bert-t5-study": ("VerT5erini with", "VerT5erini, dev", "T5 of VerT5erini"),
    },
    "vert5erini-bm25": {
        "vert5erini": ("BM25, k", "VerT5erini (BM25)"),
        "bert-t5-study": ("VerT5erini: BM25", "VerT5erini, dev"),
    },
    "multivers": {"scifchex": ("MultiVerS, ",)},
    "scifchex-bert": {"scifchex": ("BM25 20, BERT title",)},
    "scifchex-scibert": {
        "scifchex": (
            "BM25 20, SciBERT title",
            "BM25 20, SciBERT, selector SciBERT, label RoBERTa*",
            "SciFCheX: BM25 20, SciBERT, selector SciBERT, label RoBERTa*",
            "selector SciBERT, label RoBERTa*, gold abstracts",
        )
    },
    "scifchex-biobert": {
        "scifchex": (
            "BM25 20, BioBERT title",
            "BM25 20, BioBERT, selector SciBERT, label RoBERTa*",
        )
    },
    "scifchex-bge": {
        "scifchex": (
            "BM25 20, BGE-M3 reranker",
            "BM25 20, BGE-M3, selector SciBERT, label RoBERTa*",
        )
    },
    "monobert-bert": {
        "bert-t5-study": ("BM25 100, monoBERT", "monoBERT, dev", "BERT-large, gold", "BERT system")
    },
    "monot5-t5": {
        "bert-t5-study": ("BM25 100, monoT5", "monoT5, dev", "T5-large, gold", "T5 system")
    },
    "climate": {"climate": ("BM25 top 4 and top 1 reranked",)},
}
"""How the settings begin that are a preset's own, by preset and paper."""


def difference(row: Mapping[str, Any], preset: Preset) -> str:
    """Say why a preset's figure is not that of a row; empty if it is."""
    known = SAME.get(preset.name, {}).get(row["paper"], ())
    if not row["setting"].startswith(known or ("\0",)):
        return f'the preset {preset.name} is another system than "{row["setting"]}"'
    depth = parse_measure(row["measure"]).cutoff if "@" in row["measure"] else None
    kept = _kept(preset)
    if depth and kept and depth > kept:
        return f"the preset {preset.name} keeps {kept} documents, and the figure is at {depth}"
    return ""


def _kept(preset: Preset) -> int:
    """Give how many documents the last ranking stage that says so keeps."""
    ranking = [stage for stage in preset.stages if stage.kind in (Kind.RETRIEVE, Kind.RERANK)]
    depths = [int(stage.parameters["k"]) for stage in ranking if "k" in stage.parameters]
    return depths[-1] if depths else 0
