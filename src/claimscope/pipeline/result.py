"""The one form in which a checked claim leaves the package: command line, REST and files alike.

The schema is documented in docs/reference/json.md; `SCHEMA` changes when it does.
"""

from __future__ import annotations

import json
from typing import Any

from claimscope.types import Candidate, Case, Metadata, Score, StageTrace

SCHEMA = "claimscope.case/1"


def to_dict(case: Case, with_trace: bool = False) -> dict[str, Any]:
    """Give a case as plain values, the same for the same case; only a trace holds times."""
    result: dict[str, Any] = {
        "schema": SCHEMA,
        "claim": {"id": case.claim.id, "text": case.claim.text},
        "verdict": _verdict(case),
        "notices": list(case.notices),
        "candidates": [
            _candidate(rank, item) for rank, item in enumerate(case.candidates, start=1)
        ],
        "provenance": _provenance(case),
    }
    if with_trace:
        result["trace"] = [_trace(item) for item in case.trace]
    return result


def to_json(case: Case, with_trace: bool = False, indent: int | None = None) -> str:
    """Write a case as JSON text."""
    return json.dumps(to_dict(case, with_trace), ensure_ascii=False, indent=indent)


def _verdict(case: Case) -> dict[str, Any] | None:
    verdict = case.verdict
    if verdict is None:
        return None
    return {
        "label": verdict.label.verdict,
        "confidence": _rounded(verdict.confidence),
        "supporting": list(verdict.supporting),
        "refuting": list(verdict.refuting),
        "rule": {
            "name": verdict.rule.name,
            "statement": verdict.rule.statement,
            "would_change": verdict.rule.would_change,
        },
    }


def _candidate(rank: int, candidate: Candidate) -> dict[str, Any]:
    document, labels = candidate.document, candidate.labels
    return {
        "rank": rank,
        "id": document.id,
        "title": document.title,
        "abstract": document.abstract,
        "metadata": metadata_dict(document.meta),
        "scores": {stage: _score(score) for stage, score in candidate.scores.items()},
        "label": labels.label.value if labels else None,
        "probabilities": {
            "SUPPORTS": _rounded(labels.supports),
            "REFUTES": _rounded(labels.refutes),
            "NOT_ENOUGH_INFO": _rounded(labels.not_enough_info),
        }
        if labels
        else None,
        "rationale": [
            {
                "sentence": item.index,
                "start": document.spans[item.index][0],
                "end": document.spans[item.index][1],
                "text": document.sentences[item.index],
                "score": _score(item.score),
            }
            for item in candidate.rationale
        ],
    }


def metadata_dict(meta: Metadata) -> dict[str, Any]:
    """Give what is known of a paper as plain values."""
    return {
        "doi": meta.doi,
        "pmid": meta.pmid,
        "year": meta.year,
        "venue": meta.venue,
        "authors": list(meta.authors),
        "url": meta.url,
        "language": meta.language,
        "publication_types": list(meta.publication_types),
        "study_type": meta.study_type,
        "retracted": meta.retracted,
        "note": meta.note,
        "source": meta.source,
    }


def _provenance(case: Case) -> dict[str, Any] | None:
    origin = case.provenance
    if origin is None:
        return None
    return {
        "version": origin.version,
        "preset": origin.preset,
        "stages": [dict(stage) for stage in origin.stages],
        "library_revision": origin.library_revision,
    }


def _trace(trace: StageTrace) -> dict[str, Any]:
    return {
        "stage": trace.stage,
        "received": list(trace.received),
        "kept": [
            {"id": entry.document_id, "rank": entry.rank, "score": _rounded(entry.score)}
            for entry in trace.kept
        ],
        "dropped": list(trace.dropped),
        "seconds": round(trace.seconds, 6),
    }


def _score(score: Score) -> dict[str, float | None]:
    return {"raw": _rounded(score.raw), "probability": _rounded(score.probability)}


def _rounded(value: float | None) -> float | None:
    """Keep six digits, so that a result does not hang on the last bit of a sum."""
    return None if value is None else round(value, 6)
