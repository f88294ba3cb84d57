"""SciFCheX's cut: keep the best documents up to the first clear drop of the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.rerank.earlier_scores import earlier_score, min_max
from claimscope.types import Candidate, Case

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
    """Give the place of the first score that lies more than a share below the one before it."""
    for place in range(1, len(scores)):
        before, after = scores[place - 1], scores[place]
        if before > 0 and (before - after) / before > drop:
            return place
    return len(scores)
