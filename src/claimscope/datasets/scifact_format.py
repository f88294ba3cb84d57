"""Claims and corpora in SciFact's format, which several data sets share.

A claim: `id`, `claim`, `evidence` (document to a list of `sentences` and `label`, absent where the
answers are kept back) and `cited_doc_ids` (`doc_ids` in MultiVerS' files). A corpus line: `doc_id`,
`title`, `abstract` (a list of sentences).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from claimscope.datasets.files import document_of, parse_label, read_json_lines
from claimscope.datasets.record import LabelledClaim
from claimscope.errors import FormatError
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence


def read_claims(
    path: Path, label: Callable[[object], Label] = parse_label
) -> Iterator[LabelledClaim]:
    """Read a claims file; the label reader may know further spellings."""
    return read_json_lines(path, lambda record: _claim(record, label))


def _claim(record: Any, label: Callable[[object], Label]) -> LabelledClaim:
    evidence = record.get("evidence")
    return LabelledClaim(
        Claim(record["claim"], str(record["id"])),
        None
        if evidence is None
        else {str(name): _evidence(name, sets, label) for name, sets in evidence.items()},
        cited=tuple(map(str, record.get("cited_doc_ids") or record.get("doc_ids") or ())),
    )


def _evidence(name: str, sets: Any, label: Callable[[object], Label]) -> GoldEvidence:
    labels = {label(each["label"]) for each in sets}
    if len(labels) != 1:
        raise FormatError(f"document {name} has {len(labels)} labels where one belongs")
    rationales = dict.fromkeys(frozenset(each["sentences"]) for each in sets)
    return GoldEvidence(labels.pop(), tuple(rationales))


def read_corpus(path: Path) -> Iterator[Document]:
    """Read a corpus file."""
    return read_json_lines(
        path, lambda record: document_of(record["doc_id"], record["title"], record["abstract"])
    )
