"""An audit as JSON; docs/reference/json.md describes the form, and `SCHEMA` changes with it."""

from __future__ import annotations

import json
from typing import Any

from claimscope._json_record import rounded
from claimscope.audit.report import Audit, Checked, Quote, Remark
from claimscope.types import Document, LabelProbabilities

SCHEMA = "claimscope.audit/1"


def to_json(audit: Audit) -> str:
    """Write an audit as JSON text; the same audit gives the same bytes."""
    return json.dumps(to_dict(audit), ensure_ascii=False, indent=2) + "\n"


def to_dict(audit: Audit) -> dict[str, Any]:
    """Give an audit as plain values."""
    origin = audit.provenance
    return {
        "schema": SCHEMA,
        "manuscript": audit.name,
        "place": audit.place_name,
        "sentences": audit.sentences,
        "counts": {outcome.value: count for outcome, count in audit.counts.items()},
        "citations": [_citation(item) for item in audit.citations],
        "remarks": [_remark(item) for item in audit.remarks],
        "notes": list(audit.notes),
        "provenance": {
            "version": origin.version,
            "preset": origin.preset,
            "stages": [dict(stage) for stage in origin.stages],
            "library_revision": origin.library_revision,
        },
    }


def _citation(item: Checked) -> dict[str, Any]:
    return {
        "place": item.place,
        "sentence": item.sentence,
        "claim": item.claim,
        "citation": item.label,
        "key": item.key,
        "outcome": item.outcome.value,
        "level": item.level.value,
        "detail": item.detail,
        "document": _document(item.document),
        "quotes": [_quote(quote) for quote in item.quotes],
        "probabilities": probabilities(item.probabilities),
    }


def _remark(item: Remark) -> dict[str, Any]:
    return {
        "place": item.place,
        "sentence": item.sentence,
        "kind": item.kind.value,
        "level": item.level.value,
        "detail": item.detail,
        "document": _document(item.document),
        "quotes": [_quote(quote) for quote in item.quotes],
    }


def _document(document: Document | None) -> dict[str, Any] | None:
    if document is None:
        return None
    meta = document.meta
    return {
        "id": document.id,
        "title": document.title,
        "year": meta.year,
        "doi": meta.doi,
        "pmid": meta.pmid,
        "retracted": meta.retracted,
        "notices": list(meta.notices),
    }


def _quote(quote: Quote) -> dict[str, Any]:
    return {
        "document": quote.document_id,
        "text": quote.text,
        "start": quote.start,
        "end": quote.end,
    }


def probabilities(labels: LabelProbabilities | None) -> dict[str, float | None] | None:
    """Give the probabilities of a judged citation."""
    if labels is None:
        return None
    return {
        "SUPPORTS": rounded(labels.supports),
        "REFUTES": rounded(labels.refutes),
        "NOT_ENOUGH_INFO": rounded(labels.not_enough_info),
    }
