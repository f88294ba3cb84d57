"""Rerankers that cut: the first k, SciFCheX's drop of the score, the climate ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.rerank.combo import earlier_score, min_max
from claimscope.types import Candidate, Case


@dataclass(frozen=True)
class Cut(Composable):
    """Keeps the first k candidates in the order they came, fewer if the rest score far lower."""

    k: int = 3
    share: float = 0.0
    """Least score beside the best one's, by the stage that scored last; 0 keeps all."""

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "cut"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        require_positive(self, "k")
        if not 0 <= self.share <= 1:
            raise ConfigurationError(
                "Parameter 'share' of stage rerank.cut must lie between 0 and 1, "
                f"not {self.share:g}."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Drop candidates after the k-th and those that score too low."""
        return [replace(case, candidates=self._kept(case.candidates[: self.k])) for case in cases]

    def _kept(self, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        if not self.share:
            return candidates
        scores = [earlier_score(item, "", stage_id(self)).raw for item in candidates]
        least = self.share * max(scores, default=0.0)
        return tuple(item for item, score in zip(candidates, scores, strict=True) if score >= least)


MODES = ("paper", "fixed")


@dataclass(frozen=True)
class DropOff(Composable):
    """Sorts by an earlier stage's score and keeps the documents before the first drop, 1 to k.

    Scores are stretched to 0 to 1 per claim; a drop is a loss of more than the given share of the
    score before it (SciFCheX, section 4.3.4). The mode "paper" searches it as the published code
    does, over scores still in the incoming order; "fixed" searches it in the sorted ones.
    """

    k: int = 3
    drop: float = 0.05
    mode: str = "paper"
    scored_by: str = ""
    """The stage whose scores count, such as "rerank.relevance"; the last one if empty."""

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "drop-off"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        require_positive(self, "k")
        if self.mode not in MODES:
            raise UnknownNameError("mode", self.mode, MODES)
        if not 0 <= self.drop < 1:
            raise ConfigurationError(
                f"Parameter 'drop' of stage {stage_id(self)} must be a share of at least 0 and "
                f"below 1, not {self.drop:g}."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Cut the candidates of every case."""
        return [replace(case, candidates=self._cut(case.candidates)) for case in cases]

    def _cut(self, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        raw = [earlier_score(item, self.scored_by, stage_id(self)).raw for item in candidates]
        scores = min_max(raw)
        places = range(len(scores))
        order = sorted(places, key=lambda place: (-scores[place], candidates[place].document.id))
        searched = scores if self.mode == "paper" else [scores[place] for place in order]
        kept = min(first_drop(searched, self.drop), self.k)
        return tuple(candidates[place] for place in order[:kept])


def first_drop(scores: Sequence[float], drop: float) -> int:
    """Give the index of the first score that is more than a share below the one before it."""
    for place in range(1, len(scores)):
        before, after = scores[place - 1], scores[place]
        if before > 0 and (before - after) / before > drop:
            return place
    return len(scores)


@dataclass(frozen=True)
class Ensemble(Composable):
    """Keeps the first n candidates as they came and adds the best others by an earlier score.

    The climate paper takes 3 to 5 of BM25 and one of its cross-encoder (section 3.2); if that one
    is among the first n, nothing is added.
    """

    n: int = 4
    best: int = 1
    scored_by: str = "rerank.relevance"
    """The stage whose scores choose; it must have left the incoming order as it was."""

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "ensemble"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        require_positive(self, "n")
        require_positive(self, "best")

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Join the two choices for every case."""
        return [replace(case, candidates=self._join(case.candidates)) for case in cases]

    def _join(self, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        def badness(item: Candidate) -> tuple[float, str]:
            return (
                -earlier_score(item, self.scored_by, stage_id(self)).raw,
                item.document.id,
            )

        chosen = sorted(candidates, key=badness)[: self.best]
        first = candidates[: self.n]
        known = {item.document.id for item in first}
        return (*first, *(item for item in chosen if item.document.id not in known))
