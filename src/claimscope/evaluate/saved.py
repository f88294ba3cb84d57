"""Cases as a run keeps them on disk: read one at a time, in the form of `pipeline.result`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from claimscope.files import numbered_lines
from claimscope.labels import Label
from claimscope.measures.records import DECIDING, PredictedEvidence
from claimscope.pipeline.stage import Kind
from claimscope.types import LabelProbabilities, Span, StageTrace, TraceEntry

_RANKING_KINDS = (Kind.RETRIEVE, Kind.RERANK)


@dataclass(frozen=True, slots=True)
class SavedSentence:
    """A selected sentence and where it lies in the abstract."""

    index: int
    span: Span


@dataclass(frozen=True, slots=True)
class SavedCandidate:
    """A document a pipeline ended with."""

    id: str
    title: str
    abstract: str
    scores: Mapping[str, float]
    label: Label | None
    probabilities: LabelProbabilities | None
    rationale: tuple[SavedSentence, ...]

    @property
    def sentences(self) -> tuple[int, ...]:
        """The selected sentences, in the system's order."""
        return tuple(each.index for each in self.rationale)


@dataclass(frozen=True, slots=True)
class SavedCase:
    """What a pipeline made of a claim."""

    claim_id: str
    text: str
    verdict: Label | None
    confidence: float | None
    candidates: tuple[SavedCandidate, ...]
    trace: tuple[StageTrace, ...]

    @property
    def predictions(self) -> dict[str, PredictedEvidence]:
        """The candidates labelled SUPPORTS or REFUTES: the official task is per abstract."""
        return {
            each.id: PredictedEvidence(each.label, each.sentences)
            for each in self.candidates
            if each.label is not None and each.label in DECIDING
        }

    @property
    def judged(self) -> bool:
        """Whether any stage judged abstracts; without one a verdict says nothing."""
        return any(step.stage.startswith(f"{Kind.JUDGE}.") for step in self.trace)

    def ranking(self, stage: str | None = None) -> tuple[tuple[str, float], ...]:
        """Give the order of documents after a ranking stage; the last one unless named.

        Scores are the stage's own where they fall from rank to rank; otherwise (a stage that only
        cuts, or that ranks by something else) one over the rank, since readers sort by score.
        """
        trace = next((item for item in reversed(self.trace) if is_ranking(item, stage)), None)
        entries = trace.kept if trace else ()
        scores = [entry.score for entry in entries if entry.score is not None]
        falling = len(scores) == len(entries) and all(
            one > other for one, other in pairwise(scores)
        )
        if falling:
            return tuple(zip((entry.document_id for entry in entries), scores, strict=True))
        return tuple((entry.document_id, 1 / entry.rank) for entry in entries)


def is_ranking(trace: StageTrace, stage: str | None = None) -> bool:
    """Say whether a stage makes the ranking, and is the one named if one is."""
    return trace.stage.split(".")[0] in _RANKING_KINDS and stage in (None, trace.stage)


def read_cases(path: Path) -> Iterator[SavedCase]:
    """Read cases one at a time."""
    for _, line in numbered_lines(path):
        yield parse_case(json.loads(line))


def parse_case(record: Mapping[str, Any]) -> SavedCase:
    """Read one case."""
    verdict = record["verdict"]
    return SavedCase(
        record["claim"]["id"],
        record["claim"]["text"],
        Label.parse(verdict["label"]) if verdict else None,
        verdict["confidence"] if verdict else None,
        tuple(map(_candidate, record["candidates"])),
        tuple(map(_trace, record.get("trace", ()))),
    )


def _candidate(record: Mapping[str, Any]) -> SavedCandidate:
    probabilities = record["probabilities"]
    return SavedCandidate(
        record["id"],
        record["title"],
        record["abstract"],
        {stage: score["raw"] for stage, score in record["scores"].items()},
        Label(record["label"]) if record["label"] else None,
        LabelProbabilities(
            probabilities["SUPPORTS"], probabilities["REFUTES"], probabilities["NOT_ENOUGH_INFO"]
        )
        if probabilities
        else None,
        tuple(
            SavedSentence(each["sentence"], (each["start"], each["end"]))
            for each in record["rationale"]
        ),
    )


def _trace(record: Mapping[str, Any]) -> StageTrace:
    return StageTrace(
        record["stage"],
        tuple(record["received"]),
        tuple(TraceEntry(each["id"], each["rank"], each["score"]) for each in record["kept"]),
        record["seconds"],
    )
