"""What a case tells the measures: its predictions, its ranking, and whether it was judged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from claimscope._files import numbered_lines
from claimscope.case_json import from_json
from claimscope.errors import FormatError
from claimscope.measures.measure import DECIDING, PredictedEvidence
from claimscope.pipeline.stage import Kind
from claimscope.types import Candidate, Case, StageTrace

_RANKING_KINDS = (Kind.RETRIEVE, Kind.RERANK)


def read_cases(path: Path) -> Iterator[Case]:
    """Iterate over the cases of a run."""
    for number, line in numbered_lines(path):
        try:
            yield from_json(line)
        except FormatError as error:
            raise FormatError(f"{path}, line {number}: {error}") from error


def predictions_of(case: Case) -> dict[str, PredictedEvidence]:
    """Give the candidates labelled SUPPORTS or REFUTES: the official task is per abstract."""
    return {
        item.document.id: PredictedEvidence(item.label, sentences_of(item))
        for item in case.candidates
        if item.label is not None and item.label in DECIDING
    }


def sentences_of(candidate: Candidate) -> tuple[int, ...]:
    """Give the selected sentences, in the system's order."""
    return tuple(sentence.index for sentence in candidate.rationale)


def has_judge(case: Case) -> bool:
    """Whether any stage judged abstracts; without one a verdict has no meaning."""
    return any(step.stage.startswith(f"{Kind.JUDGE}.") for step in case.trace)


def ranking_of(case: Case, stage: str | None = None) -> tuple[tuple[str, float], ...]:
    """Give the order of documents after a ranking stage; the last one unless named.

    Scores are the stage's own where they fall from rank to rank; otherwise (a stage that only
    cuts, or that ranks by something else) one over the rank, since readers sort by score.
    """
    trace = next((item for item in reversed(case.trace) if is_ranking(item, stage)), None)
    entries = trace.kept if trace else ()
    scores = [entry.score for entry in entries if entry.score is not None]
    falling = len(scores) == len(entries) and all(one > other for one, other in pairwise(scores))
    if falling:
        return tuple(zip((entry.document_id for entry in entries), scores, strict=True))
    return tuple((entry.document_id, 1 / entry.rank) for entry in entries)


def is_ranking(trace: StageTrace, stage: str | None = None) -> bool:
    """Say whether a stage makes the ranking, and is the one named if one is."""
    return trace.stage.split(".")[0] in _RANKING_KINDS and stage in (None, trace.stage)
