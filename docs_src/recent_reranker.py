from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope import Candidate, Case
from claimscope.pipeline.stage import Composable, Kind, Part


@dataclass(frozen=True)
class Recent(Composable):
    """Puts newer papers first; papers without a year come last."""

    k: int = 10

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "recent"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def run(self, cases: Sequence[Case]) -> list[Case]:
        return [replace(case, candidates=self._newest(case.candidates)) for case in cases]

    def _newest(self, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        newest = sorted(candidates, key=lambda item: item.document.meta.year or 0, reverse=True)
        return tuple(newest[: self.k])
