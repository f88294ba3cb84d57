"""Turns scores and hits into ranked candidates, and fuses several rankings by reciprocal rank."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import ConfigurationError
from claimscope.library.protocol import Hit, Library
from claimscope.pipeline.stage import Composable, Kind, Part, Stage, require_positive, stage_id
from claimscope.types import Candidate, Case, Document, Score


def with_hits(
    cases: Sequence[Case], rankings: Sequence[Sequence[Hit]], library: Library, stage: str
) -> list[Case]:
    """Give each case the documents of its hits, in their order, scored under the stage's id."""
    wanted = sorted({hit.document_id for hits in rankings for hit in hits})
    documents = dict(zip(wanted, library.get(wanted), strict=True))
    return [
        replace(
            case,
            candidates=tuple(
                Candidate(documents[hit.document_id], MappingProxyType({stage: Score(hit.score)}))
                for hit in hits
            ),
        )
        for case, hits in zip(cases, rankings, strict=True)
    ]


Ranked = list[tuple[int, float]]
"""Positions of documents with their scores, best first."""


def top(scores: NDArray[np.float64], k: int) -> Ranked:
    """Give the k best positive scores; a tie goes to the document that comes first."""
    found = np.flatnonzero(scores > 0)
    if len(found) > k:
        threshold = np.partition(scores[found], len(found) - k)[len(found) - k]
        found = found[scores[found] >= threshold]
    order = np.argsort(-scores[found], kind="stable")[:k]
    return [(int(position), float(scores[position])) for position in found[order]]


def rank(scores: NDArray[np.float64], position: int) -> int | None:
    """Give the rank of one document, counted from 1, or None if its score is not positive."""
    score = scores[position]
    if score <= 0:
        return None
    before = np.count_nonzero(scores > score) + np.count_nonzero(scores[:position] == score)
    return int(before) + 1


CONTENTS: Mapping[str, Callable[[Document], str]] = MappingProxyType(
    {
        "title-and-abstract": lambda document: document.text,
        "abstract": lambda document: document.abstract,
        # VeriSci and SciFCheX join the two without a space, which fuses two words.
        "title-glued-to-abstract": lambda document: document.title + document.abstract,
    }
)


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
