"""Oracle stages: the abstracts, sentences and labels of the annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.labels import Label
from claimscope.library.protocol import Library
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Gold,
    LabelProbabilities,
    RationaleSentence,
    Score,
)


@dataclass(frozen=True)
class OracleRetriever(Composable):
    """Takes the gold evidence abstracts, ordered by id; shows what later stages lose.

    They are named rather than found, and so have no score.
    """

    library: Library = field(repr=False)
    gold: Gold = field(repr=False)

    kind: ClassVar[Kind] = Kind.RETRIEVE
    name: ClassVar[str] = "oracle"
    requires: ClassVar[frozenset[Part]] = frozenset()
    provides: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Look up every claim's gold abstracts."""
        names = [sorted(self.gold.get(case.claim.id, {})) for case in cases]
        wanted = sorted({name for each in names for name in each})
        documents = dict(zip(wanted, self.library.get(wanted), strict=True))
        return [
            replace(case, candidates=tuple(Candidate(documents[name]) for name in each))
            for case, each in zip(cases, names, strict=True)
        ]


@dataclass(frozen=True)
class OracleSelector(Composable):
    """Takes every sentence of every gold rationale; shows what the judge alone loses."""

    gold: Gold = field(repr=False)

    kind: ClassVar[Kind] = Kind.SELECT
    name: ClassVar[str] = "oracle"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Mark the gold sentences in every candidate."""
        return map_candidates(cases, self._mark)

    def _mark(self, claim: Claim, candidate: Candidate) -> Candidate:
        evidence = self.gold.get(claim.id, {}).get(candidate.document.id)
        indices = sorted(set().union(*evidence.rationales)) if evidence else []
        return replace(
            candidate,
            rationale=tuple(RationaleSentence(index, Score(1.0, 1.0)) for index in indices),
        )


@dataclass(frozen=True)
class OracleJudge(Composable):
    """Gives each candidate its gold label, and NOT_ENOUGH_INFO where there is none."""

    gold: Gold = field(repr=False)

    kind: ClassVar[Kind] = Kind.JUDGE
    name: ClassVar[str] = "oracle"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.LABELS})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Look up the label of every candidate."""
        return map_candidates(cases, self._label)

    def _label(self, claim: Claim, candidate: Candidate) -> Candidate:
        evidence = self.gold.get(claim.id, {}).get(candidate.document.id)
        label = evidence.label if evidence else None
        return replace(candidate, labels=certain(label or Label.NOT_ENOUGH_INFO))


def certain(label: Label) -> LabelProbabilities:
    """Put all probability on one label."""
    return LabelProbabilities(
        supports=float(label is Label.SUPPORTS),
        refutes=float(label is Label.REFUTES),
        not_enough_info=float(label not in {Label.SUPPORTS, Label.REFUTES}),
    )
