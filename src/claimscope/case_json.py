"""The one JSON form of a case: every file, service and page writes it and reads it back here.

The schema is documented in docs/reference/json.md; `SCHEMA` changes when it does. The form holds
numbers to six digits, and of an abstract's sentences only those that are quoted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, get_type_hints

from claimscope._json_record import JsonRecord, rounded
from claimscope._opinion_json import (
    call_dict,
    opinion_dict,
    probabilities_dict,
    read_call,
    read_labels,
    read_opinion,
)
from claimscope._verdict_json import read_verdict, verdict_dict
from claimscope.errors import FormatError
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Document,
    Metadata,
    Provenance,
    Quotation,
    RationaleSentence,
    Score,
    Span,
    StageTrace,
    TraceEntry,
)

SCHEMA = "claimscope.case/1"
_METADATA = tuple(field.name for field in fields(Metadata))
_KINDS: Mapping[Any, type[Any]] = {
    str | None: str,
    int | None: int,
    bool: bool,
    tuple[str, ...]: list,
}
_METADATA_KINDS = {name: _KINDS[hint] for name, hint in get_type_hints(Metadata).items()}


def to_json(case: Case, with_trace: bool = False, indent: int | None = None) -> str:
    """Write a case as JSON text."""
    return json.dumps(to_dict(case, with_trace), ensure_ascii=False, indent=indent)


def from_json(text: str) -> Case:
    """Read a case from JSON text; one that cannot be read raises `FormatError`."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The saved case is not JSON ({error}); make it again.") from None
    return from_dict(record)


def to_dict(case: Case, with_trace: bool = False) -> dict[str, Any]:
    """Give a case as plain values, the same for the same case; only a trace holds times."""
    result: dict[str, Any] = {
        "schema": SCHEMA,
        "claim": {"id": case.claim.id, "text": case.claim.text},
        "verdict": verdict_dict(case.verdict) if case.verdict else None,
        "notices": list(case.notices),
        "candidates": [
            _candidate(rank, item) for rank, item in enumerate(case.candidates, start=1)
        ],
        "provenance": _provenance(case.provenance) if case.provenance else None,
    }
    if case.parts:
        result["parts"] = [_part(part, with_trace) for part in case.parts]
    elif with_trace:
        result["trace"] = [_trace(item) for item in case.trace]
    return result


def _part(part: Case, with_trace: bool) -> dict[str, Any]:
    """Give a part of a compound claim; it depends on what the whole depends on."""
    known = to_dict(part, with_trace)
    return {key: value for key, value in known.items() if key not in {"schema", "provenance"}}


def metadata_dict(meta: Metadata) -> dict[str, Any]:
    """Give a paper's metadata as plain values."""
    values = ((name, getattr(meta, name)) for name in _METADATA)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


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
        "probabilities": probabilities_dict(labels) if labels else None,
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
        "abstained": candidate.abstained,
        "depth": candidate.depth,
        "quotations": [_quotation(item) for item in candidate.quotations],
        "opinions": [opinion_dict(item) for item in candidate.opinions],
    }


def _quotation(item: Quotation) -> dict[str, Any]:
    return {
        "section": item.section,
        "heading": item.heading,
        "page": item.page,
        "start": item.start,
        "end": item.end,
        "text": item.text,
        "score": _score(item.score),
    }


def _provenance(origin: Provenance) -> dict[str, Any]:
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
            {"id": entry.document_id, "rank": entry.rank, "score": rounded(entry.score)}
            for entry in trace.kept
        ],
        "dropped": list(trace.dropped),
        "seconds": round(trace.seconds, 6),
        "calls": [call_dict(call) for call in trace.calls],
    }


def _score(score: Score) -> dict[str, float | None]:
    return {"raw": rounded(score.raw), "probability": rounded(score.probability)}


def from_dict(record: Any) -> Case:
    """Read a case from plain values; a malformed one raises `FormatError` and names the key.

    Keys that an older version did not write take their defaults, and unknown ones are passed over.
    The text between quoted sentences is read as one sentence, since the form does not divide it.
    """
    whole = JsonRecord(record, "saved case")
    if whole.get("schema", str, SCHEMA) != SCHEMA:
        raise whole.wrong("schema", f"must be {SCHEMA}, the form that this version reads")
    return replace(_read_case(whole), parts=tuple(map(_read_case, whole.children("parts"))))


def _read_case(whole: JsonRecord) -> Case:
    """Read a claim with what was found for it, without its parts."""
    claim, verdict, origin = whole.child("claim"), whole.part("verdict"), whole.part("provenance")
    return Case(
        claim=Claim(claim.get("text", str), claim.get("id", str, "")),
        candidates=tuple(_read_candidate(item) for item in whole.children("candidates")),
        verdict=read_verdict(verdict) if verdict else None,
        notices=whole.texts("notices"),
        trace=tuple(_read_trace(item) for item in whole.children("trace")),
        provenance=_read_provenance(origin) if origin else None,
    )


def _read_candidate(item: JsonRecord) -> Candidate:
    abstract = item.get("abstract", str, "")
    scores, meta = item.part("scores"), item.part("metadata")
    sentences = list(item.children("rationale"))
    return Candidate(
        Document(
            item.get("id", str),
            item.get("title", str, ""),
            abstract,
            _spans(abstract, sentences),
            _read_metadata(meta) if meta else Metadata(),
        ),
        MappingProxyType(
            {n: _read_score(scores.child(n)) for n in scores.values} if scores else {}
        ),
        tuple(
            RationaleSentence(each.get("sentence", int), _read_score(each.child("score")))
            for each in sentences
        ),
        read_labels(item),
        item.get("abstained", str, None),
        tuple(map(_read_quotation, item.children("quotations"))),
        tuple(map(read_opinion, item.children("opinions"))),
    )


def _read_quotation(item: JsonRecord) -> Quotation:
    section, start, end = (item.get(key, int) for key in ("section", "start", "end"))
    page, score = item.get("page", int, None), _read_score(item.child("score"))
    text = item.get("text", str)
    return Quotation(section, item.get("heading", str, ""), page, start, end, text, score)


def _read_metadata(item: JsonRecord) -> Metadata:
    default = Metadata()
    known: dict[str, Any] = {
        name: item.texts(name) if kind is list else item.get(name, kind, getattr(default, name))
        for name, kind in _METADATA_KINDS.items()
    }
    return Metadata(**known)


def _read_score(item: JsonRecord) -> Score:
    return Score(item.get("raw", float), item.get("probability", float, None))


def _spans(abstract: str, sentences: list[JsonRecord]) -> tuple[Span, ...]:
    """Lay out an abstract's sentences; of those not quoted, the first takes all the text."""
    spans: list[Span] = []
    reached = 0
    for each in sorted(sentences, key=lambda each: each.get("sentence", int)):
        index, start, end = (each.get(key, int) for key in ("sentence", "start", "end"))
        if 0 <= index < len(spans) and spans[index] == (start, end):
            continue
        if not (len(spans) <= index <= len(abstract) and reached <= start <= end <= len(abstract)):
            raise each.wrong("start", "does not fit the abstract and the sentences before it")
        if each.get("text", str, abstract[start:end]) != abstract[start:end]:
            raise each.wrong("text", "is not what the abstract has in this place")
        if index > len(spans):
            spans.append(_trimmed(abstract, reached, start))
            spans += [(start, start)] * (index - len(spans))
        spans.append((start, end))
        reached = end
    rest = _trimmed(abstract, reached, len(abstract))
    return (*spans, rest) if rest[0] < rest[1] else tuple(spans)


def _trimmed(text: str, start: int, end: int) -> Span:
    words = text[start:end].strip()
    begin = text.find(words, start)
    return begin, begin + len(words)


def _read_provenance(item: JsonRecord) -> Provenance:
    return Provenance(
        item.get("version", str, ""),
        item.get("preset", str, ""),
        tuple(stage.values for stage in item.children("stages")),
        item.get("library_revision", str, ""),
    )


def _read_trace(item: JsonRecord) -> StageTrace:
    return StageTrace(
        item.get("stage", str),
        item.texts("received"),
        tuple(
            TraceEntry(each.get("id", str), each.get("rank", int), each.get("score", float, None))
            for each in item.children("kept")
        ),
        item.get("seconds", float, 0.0),
        tuple(map(read_call, item.children("calls"))),
    )
