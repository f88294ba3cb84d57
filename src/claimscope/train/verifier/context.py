"""Sentences that annotators marked as near a claim without being its evidence.

Check-COVID's reader leaves them out, since no measure counts them. In training they matter: what
supplements the evidence of a claim must not be learnt as unrelated, and what is nearest to a claim
that cannot be decided is the hardest example of silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claimscope.datasets.files import find_file, need_file, parse_label, read_json_lines
from claimscope.measures.records import DECIDING

Context = Mapping[tuple[str, str], frozenset[int]]
"""Claim and document to the sentences."""


def context_of(data: str, folder: Path, split: str) -> Context:
    """Read the marked sentences of a data set that has any."""
    if data != "check-covid":
        return {}
    whole = find_file(folder, f"claims_{split}.jsonl")
    ways = ("composed", "extracted")
    names = [f"covidCheck_{split}_{way}.json" for way in ways]
    paths = [whole] if whole else [need_file(folder, name) for name in names]
    return dict(each for path in paths for each in read_json_lines(path, _marked))


def _marked(record: Any) -> tuple[tuple[str, str], frozenset[int]]:
    evidence = record["evidence_set"]
    primary = frozenset(each["sent_index"] for each in evidence if each["type"] == "PRIMARY")
    other = frozenset(each["sent_index"] for each in evidence) - primary
    key = (str(record["id"]), str(record["cord_id"]))
    return key, other if parse_label(record["label"]) in DECIDING else primary
