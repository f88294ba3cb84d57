"""Reciprocal-rank fusion of several retrievers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError
from claimscope.pipeline.stage import Composable, Kind, Part, Stage, require_positive, stage_id
from claimscope.types import Candidate, Case, Score


@dataclass(frozen=True)
class ReciprocalRankFusion(Composable):
    """Scores a document by the sum of 1 / (constant + rank) over its rankings.

    Cormack, Clarke and Büttcher, SIGIR 2009, who found a constant of 60 to do well.
    """

    members: tuple[Stage, ...]
    k: int = 20
    constant: int = 60

    kind: ClassVar[Kind] = Kind.RETRIEVE
    name: ClassVar[str] = "rrf"
    requires: ClassVar[frozenset[Part]] = frozenset()
    provides: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})

    def __post_init__(self) -> None:
        require_positive(self, "k")
        names = [stage_id(member) for member in self.members]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ConfigurationError(
                "Stage retrieve.rrf needs at least two different members; list them under "
                "[[stages.members]], each with its name."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Run every member and fuse their rankings; a tie is broken by document id."""
        runs = [member.run(cases) for member in self.members]
        return [
            replace(case, candidates=self._fuse([run[index].candidates for run in runs]))
            for index, case in enumerate(cases)
        ]

    def _fuse(self, rankings: Sequence[Sequence[Candidate]]) -> tuple[Candidate, ...]:
        totals: defaultdict[str, float] = defaultdict(float)
        found: dict[str, Candidate] = {}
        for ranking in rankings:
            for rank, candidate in enumerate(ranking, start=1):
                name = candidate.document.id
                totals[name] += 1.0 / (self.constant + rank)
                first = found.setdefault(name, candidate)
                if first is not candidate:
                    found[name] = replace(first, scores={**first.scores, **candidate.scores})
        best = sorted(totals, key=lambda name: (-totals[name], name))[: self.k]
        return tuple(
            replace(found[name], scores=found[name].scored(stage_id(self), Score(totals[name])))
            for name in best
        )
