"""The climate system's ensemble: the retriever's first few and the reranker's best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.rerank.earlier_scores import earlier_score
from claimscope.types import Candidate, Case


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
