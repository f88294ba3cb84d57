"""Oracle stages: the abstracts, sentences and labels of the annotators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from claimscope.errors import UnknownNameError
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


def _by_tfidf(sentences: Sequence[str], claim: str) -> NDArray[np.float64]:
    from claimscope.stages.retrieve.in_memory import TfIdf

    return TfIdf(sentences, bigrams=False).scores(claim)


def _by_bm25(sentences: Sequence[str], claim: str) -> NDArray[np.float64]:
    # Imported when used: a check with the default preset needs neither engine.
    from claimscope.stages.retrieve.bm25 import BM25

    return BM25(sentences, k1=0.9, b=0.4, analyser="stem-stop").scores(claim)


SIMILARITIES: Mapping[str, Callable[[Sequence[str], str], NDArray[np.float64]]] = MappingProxyType(
    {"tfidf": _by_tfidf, "bm25": _by_bm25}
)
"""Scores of an abstract's sentences for a claim, by name."""


@dataclass(frozen=True)
class OracleSelector(Composable):
    """Takes every sentence of every gold rationale; shows what the judge alone loses.

    Where there is no gold sentence, `silent` takes the n that are most similar to the claim, so
    that the judge can be measured on abstracts that say nothing, too. "tfidf" is VeriSci's
    evaluation script, "bm25" the BERT-T5 study's (section 4.3), whose number is not said.
    """

    gold: Gold = field(repr=False)
    silent: str = ""
    """tfidf, bm25, or empty for none."""
    n: int = 2

    kind: ClassVar[Kind] = Kind.SELECT
    name: ClassVar[str] = "oracle"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE})

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Mark the gold sentences in every candidate."""
        return map_candidates(cases, self._mark)

    def __post_init__(self) -> None:
        if self.silent and self.silent not in SIMILARITIES:
            raise UnknownNameError("similarity of sentences", self.silent, SIMILARITIES)

    def _mark(self, claim: Claim, candidate: Candidate) -> Candidate:
        evidence = self.gold.get(claim.id, {}).get(candidate.document.id)
        indices = sorted(set().union(*evidence.rationales)) if evidence else []
        if not indices and self.silent and candidate.document.sentences:
            scores = SIMILARITIES[self.silent](candidate.document.sentences, claim.text)
            # As in VeriSci's script: of equally similar sentences the later ones.
            indices = sorted(np.argsort(scores, kind="stable")[-self.n :].tolist())
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
