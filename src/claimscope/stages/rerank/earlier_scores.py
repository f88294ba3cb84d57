"""Looks up what an earlier stage thought of a candidate."""

from __future__ import annotations

from claimscope.errors import ConfigurationError
from claimscope.types import Candidate, Score


def earlier_score(candidate: Candidate, stage: str, asking: str) -> Score:
    """Give the score of a stage such as "rerank.relevance", or with "" of the last that scored."""
    score = candidate.scores.get(stage) if stage else candidate.score
    if score is None:
        wanted = f"of {stage}" if stage else "of an earlier stage"
        had = ", ".join(candidate.scores) or "none"
        raise ConfigurationError(
            f"Stage {asking} needs the score {wanted} (there are: {had}); put that stage before it "
            "and let it keep what this one is to read."
        )
    return score


def min_max(values: list[float]) -> list[float]:
    """Stretch values to the range from 0 to 1; equal values all become 1."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    if high == low:
        return [1.0] * len(values)
    return [(value - low) / (high - low) for value in values]
