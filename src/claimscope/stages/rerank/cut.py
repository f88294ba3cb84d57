"""The trivial reranker: keeps the order and cuts, so that hopeless candidates are not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.rerank.earlier_scores import earlier_score
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
        """Drop what lies beyond the k-th candidate or scores too low."""
        return [replace(case, candidates=self._kept(case.candidates[: self.k])) for case in cases]

    def _kept(self, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        if not self.share:
            return candidates
        scores = [earlier_score(item, "", stage_id(self)).raw for item in candidates]
        least = self.share * max(scores, default=0.0)
        return tuple(item for item, score in zip(candidates, scores, strict=True) if score >= least)
