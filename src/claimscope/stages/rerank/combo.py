"""ComboScorer: ranks documents by relevance and by how clearly they decide the claim."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.types import Candidate, Case, Score


def earlier_score(candidate: Candidate, stage: str, asking: str) -> Score:
    """Give the score of a stage such as "rerank.relevance", or with "" of the last one."""
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


@dataclass(frozen=True)
class ComboScorer(Composable):
    """Scores by alpha · verification + (1 − alpha) · relevance and keeps the k best.

    Verification is p(supports) + p(refutes), from whichever verifier ran before; relevance is an
    earlier stage's score (+VeriRel, equations 4 and 5). The paper puts alpha on verification, its
    code on relevance; at 0.5 the two agree.
    """

    alpha: float = 0.5
    scored_by: str = "rerank.relevance"
    """The stage whose score is the relevance; the last one that scored if empty."""
    scale: str = "probability"
    """How the relevance is brought to 0 to 1: one of `SCALES`."""
    k: int = 3

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "combo"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES, Part.LABELS})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        require_positive(self, "k")
        if not 0 <= self.alpha <= 1:
            raise ConfigurationError(
                "Parameter 'alpha' of stage rerank.combo must lie between 0 and 1, "
                f"not {self.alpha:g}."
            )
        if self.scale not in SCALES:
            raise UnknownNameError("scale", self.scale, SCALES)

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Reorder the candidates of every case."""
        return [replace(case, candidates=self._best(case.candidates)) for case in cases]

    def _best(self, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        name = stage_id(self)
        scores = [earlier_score(item, self.scored_by, name) for item in candidates]
        relevances = SCALES[self.scale](scores)
        scored = [
            replace(item, scores=item.scored(name, self._combined(item, relevance)))
            for item, relevance in zip(candidates, relevances, strict=True)
        ]
        scored.sort(key=lambda item: (-item.scores[name].raw, item.document.id))
        return tuple(scored[: self.k])

    def _combined(self, candidate: Candidate, relevance: float) -> Score:
        labels = candidate.labels
        verification = 0.0 if labels is None else labels.supports + labels.refutes
        value = self.alpha * verification + (1 - self.alpha) * relevance
        return Score(value, min(1.0, max(0.0, value)))


def _probabilities(scores: Sequence[Score]) -> list[float]:
    return [_known(score) for score in scores]


def _doubled(scores: Sequence[Score]) -> list[float]:
    """Give 2 · sigmoid(log p) = 2p / (1 + p), as the published code does for monoT5's log p."""
    return [2 * value / (1 + value) for value in map(_known, scores)]


def _known(score: Score) -> float:
    if score.probability is None or math.isnan(score.probability):
        raise ConfigurationError(
            "Stage rerank.combo needs a relevance with a probability; name a model's stage in "
            "'scored_by', or use the scale 'min-max'."
        )
    return score.probability


SCALES: Mapping[str, Callable[[Sequence[Score]], list[float]]] = MappingProxyType(
    {
        "probability": _probabilities,
        "doubled-sigmoid": _doubled,
        "min-max": lambda scores: min_max([score.raw for score in scores]),
    }
)
