"""The trivial reranker: keeps the order and cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.pipeline.stage import Composable, Kind, Part, require_positive
from claimscope.types import Case


@dataclass(frozen=True)
class Cut(Composable):
    """Keeps the first k candidates in the order they came."""

    k: int = 3

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "cut"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        require_positive(self, "k")

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Drop what lies beyond the k-th candidate."""
        return [replace(case, candidates=case.candidates[: self.k]) for case in cases]
