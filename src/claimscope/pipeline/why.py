"""Answers "why not?": at which stage a document was dropped, and at what rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimscope.labels import Label
from claimscope.pipeline.pipeline import Pipeline
from claimscope.pipeline.stage import KnowsRank, Stage, stage_id
from claimscope.types import Candidate, Case, Claim, StageTrace


@dataclass(frozen=True, slots=True)
class Step:
    """How a document fared at one stage."""

    stage: str
    kept: bool
    rank: int | None
    """Its place after the stage, or where a retriever would have put it."""
    of: int
    """How many documents the stage kept."""
    score: float | None
    words: str


@dataclass(frozen=True, slots=True)
class Why:
    """The way of one document through a pipeline."""

    claim: str
    document_id: str
    steps: tuple[Step, ...]
    conclusion: str


def why(pipeline: Pipeline, claim: Claim, document_id: str) -> Why:
    """Run the pipeline and follow one document until it is dropped or reaches the end."""
    [case] = pipeline.run([claim])
    steps: list[Step] = []
    for number, (stage, trace) in enumerate(zip(pipeline.stages, case.trace, strict=True), start=1):
        step = _step(stage, trace, claim, document_id)
        steps.append(step)
        if not step.kept and not _returns(document_id, case.trace[number:]):
            ending = f"Dropped at {step.stage}: {step.words}"
            return Why(claim.text, document_id, tuple(steps), ending)
    return Why(claim.text, document_id, tuple(steps), _end(case, document_id))


def _returns(document_id: str, later: Sequence[StageTrace]) -> bool:
    """Say whether a later stage finds the document; its full text may, where its title does not."""
    return any(entry.document_id == document_id for trace in later for entry in trace.kept)


def _step(stage: Stage, trace: StageTrace, claim: Claim, document_id: str) -> Step:
    name, size = stage_id(stage), len(trace.kept)
    for entry in trace.kept:
        if entry.document_id == document_id:
            words = f"rank {entry.rank} of {size}."
            return Step(name, True, entry.rank, size, entry.score, words)
    if document_id in trace.received:
        before = trace.received.index(document_id) + 1
        words = f"it came in at rank {before} of {len(trace.received)} and the stage kept {size}."
        return Step(name, False, before, size, None, words)
    rank = stage.rank_of(claim, document_id) if isinstance(stage, KnowsRank) else None
    if rank is not None:
        words = f"it ranks {rank}, and the stage kept the first {size}."
    elif isinstance(stage, KnowsRank):
        words = "it shares no searchable word with the claim."
    else:
        words = f"it is not among the {size} the stage found."
    return Step(name, False, rank, size, None, words)


def _end(case: Case, document_id: str) -> str:
    candidate = next(item for item in case.candidates if item.document.id == document_id)
    if case.verdict is not None and document_id in case.verdict.supporting:
        return "It reached the end and counts as supporting the claim."
    if case.verdict is not None and document_id in case.verdict.refuting:
        return "It reached the end and counts as refuting the claim."
    return f"It reached the end but does not count: {_silence(candidate)}"


def _silence(candidate: Candidate) -> str:
    if candidate.labels is None:
        return "no stage of this pipeline judges abstracts."
    label = candidate.labels.label
    probability = candidate.labels.of(label)
    if label is Label.NOT_ENOUGH_INFO:
        return f"it was judged to say too little (probability {probability:.2f})."
    if candidate.document.meta.retracted:
        return f"it is retracted (it was judged {label.value}, probability {probability:.2f})."
    return f"it was judged {label.value}, but with probability {probability:.2f} only."
