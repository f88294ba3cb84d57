"""Writes a set of written claims as a folder in SciFact's format, for any trainer.

python research/verifier/export_claims.py pubmed-claims FOLDER
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from claimscope.labels import Label
from recipe.written import SETS, labelled, papers_under, read_written

_SPELLINGS = {Label.SUPPORTS: "SUPPORT", Label.REFUTES: "CONTRADICT"}


def main() -> None:
    """Write `corpus.jsonl` and `claims_train.jsonl`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=SETS)
    parser.add_argument("folder", type=Path)
    said = parser.parse_args()
    papers = papers_under(said.name)
    claims, _ = labelled(read_written(said.name), papers)
    said.folder.mkdir(parents=True, exist_ok=True)
    used = dict.fromkeys(name for claim in claims for name in claim.cited)
    _write(
        said.folder / "corpus.jsonl",
        (
            {"doc_id": name, "title": papers[name].title, "abstract": papers[name].sentences}
            for name in used
        ),
    )
    _write(
        said.folder / "claims_train.jsonl",
        (
            {
                "id": claim.claim.id,
                "claim": claim.claim.text,
                "evidence": {
                    name: [
                        {"sentences": sorted(each), "label": _SPELLINGS[gold.label]}
                        for each in gold.rationales
                    ]
                    for name, gold in (claim.evidence or {}).items()
                    if gold.label in _SPELLINGS
                },
                "cited_doc_ids": claim.cited,
            }
            for claim in claims
        ),
    )


def _write(path: Path, records: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


if __name__ == "__main__":
    main()
