"""The gold answers a run is scored against, kept in its folder so that it can be scored alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from claimscope._files import numbered_lines
from claimscope.datasets.record import LabelledClaim
from claimscope.errors import InputError
from claimscope.labels import Label
from claimscope.library.protocol import Library
from claimscope.measures.measure import DECIDING
from claimscope.types import Document, GoldEvidence, Span


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """What annotators found in a document, and the document's text where the library has it."""

    evidence: GoldEvidence
    relevant: bool
    """Whether a retriever should find it."""
    in_library: bool
    title: str
    abstract: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class GoldClaim:
    """A claim with the right answer."""

    id: str
    text: str
    label: Label | None
    """The verdict on the whole claim; None if the answers are kept back."""
    documents: Mapping[str, GoldDocument] | None
    """None if the answers are kept back."""

    @property
    def evidence(self) -> dict[str, GoldDocument]:
        """The documents that support or refute the claim."""
        found = (self.documents or {}).items()
        return {name: each for name, each in found if each.evidence.decides}

    @property
    def relevant(self) -> dict[str, GoldDocument]:
        """The documents a retriever should find."""
        return {name: each for name, each in (self.documents or {}).items() if each.relevant}


def gold_claims(
    claims: Iterable[LabelledClaim], library: Library, all_relevant: bool
) -> Iterator[GoldClaim]:
    """Join claims with their documents; with `all_relevant` silent evidence is to be found too."""
    for each in claims:
        documents: dict[str, GoldDocument] | None = None
        if each.evidence is not None:
            documents = {
                name: _document(evidence, _find(library, name), all_relevant)
                for name, evidence in each.evidence.items()
            }
        yield GoldClaim(each.claim.id, each.claim.text, each.verdict, documents)


def with_first_cited(claims: Iterable[LabelledClaim]) -> Iterator[LabelledClaim]:
    """Name the first document a claim without evidence cites, as one that says too little."""
    for each in claims:
        known = each.evidence
        if known is not None and not any(gold.decides for gold in known.values()):
            each = replace(each, evidence={**dict.fromkeys(each.cited[:1], _SILENT), **known})
        yield each


_SILENT = GoldEvidence(Label.NOT_ENOUGH_INFO)


def _find(library: Library, document_id: str) -> Document | None:
    try:
        [document] = library.get([document_id])
    except InputError:
        return None
    return document


def _document(
    evidence: GoldEvidence, document: Document | None, all_relevant: bool
) -> GoldDocument:
    relevant = all_relevant or evidence.decides or evidence.label is None
    if document is None:
        return GoldDocument(evidence, relevant, False, "", "", ())
    return GoldDocument(evidence, relevant, True, document.title, document.abstract, document.spans)


def oracle_evidence(claim: GoldClaim) -> dict[str, GoldEvidence]:
    """Give the evidence for oracle stages: only documents that the library holds.

    Evidence without a label of its own takes the claim's label, if that is one of evidence.
    """
    fallback = claim.label if claim.label in DECIDING else Label.NOT_ENOUGH_INFO
    return {
        name: replace(each.evidence, label=each.evidence.label or fallback)
        for name, each in (claim.documents or {}).items()
        if each.in_library
    }


def gold_to_json(claim: GoldClaim) -> str:
    """Write a claim's answer as one line of JSON."""
    documents = claim.documents
    record = {
        "claim": {"id": claim.id, "text": claim.text},
        "label": claim.label.value if claim.label else None,
        "documents": None
        if documents is None
        else {name: _document_record(each) for name, each in documents.items()},
    }
    return json.dumps(record, ensure_ascii=False)


def _document_record(document: GoldDocument) -> dict[str, Any]:
    evidence = document.evidence
    return {
        "label": evidence.label.value if evidence.label else None,
        "rationales": [sorted(each) for each in evidence.rationales],
        "relevance": evidence.relevance,
        "relevant": document.relevant,
        "in_library": document.in_library,
        "title": document.title,
        "abstract": document.abstract,
        "spans": [list(span) for span in document.spans],
    }


def read_gold(path: Path) -> Iterator[GoldClaim]:
    """Read the answers back, one claim at a time."""
    for _, line in numbered_lines(path):
        record = json.loads(line)
        documents = record["documents"]
        yield GoldClaim(
            record["claim"]["id"],
            record["claim"]["text"],
            Label(record["label"]) if record["label"] else None,
            None
            if documents is None
            else {name: _read_document(each) for name, each in documents.items()},
        )


def _read_document(record: Mapping[str, Any]) -> GoldDocument:
    return GoldDocument(
        GoldEvidence(
            Label(record["label"]) if record["label"] else None,
            tuple(frozenset(each) for each in record["rationales"]),
            record["relevance"],
        ),
        record["relevant"],
        record["in_library"],
        record["title"],
        record["abstract"],
        tuple((start, end) for start, end in record["spans"]),
    )
