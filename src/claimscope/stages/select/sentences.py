"""Selectors without a model: the first or last sentences, or those with the claim's words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates, require_positive
from claimscope.stages.retrieve.analysis import find_analyser
from claimscope.types import Candidate, Case, Claim, RationaleSentence, Score


@dataclass(frozen=True)
class Lead(Composable):
    """Takes n sentences from the start, or from the end, where conclusions stand."""

    n: int = 1
    side: str = "start"

    kind: ClassVar[Kind] = Kind.SELECT
    name: ClassVar[str] = "lead"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE})

    def __post_init__(self) -> None:
        require_positive(self, "n")
        if self.side not in {"start", "end"}:
            raise ConfigurationError(
                "Parameter 'side' of stage select.lead must be 'start' or 'end', "
                f"not {self.side!r}."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Mark the sentences in every candidate."""
        return map_candidates(cases, self._mark)

    def _mark(self, _: Claim, candidate: Candidate) -> Candidate:
        indices = range(len(candidate.document.spans))
        chosen = indices[: self.n] if self.side == "start" else indices[::-1][: self.n]
        return replace(
            candidate,
            rationale=tuple(RationaleSentence(index, Score(1.0)) for index in chosen),
        )


@dataclass(frozen=True)
class LexicalSelector(Composable):
    """Takes the n sentences that cover most of the claim, its rarer words counting more.

    The score is the share of the claim's inverse document frequency that a sentence contains,
    counted over the sentences of all candidates; a sentence below the threshold is not taken.
    """

    n: int = 2
    threshold: float = 0.3

    kind: ClassVar[Kind] = Kind.SELECT
    name: ClassVar[str] = "lexical"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE})

    def __post_init__(self) -> None:
        require_positive(self, "n")

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Mark sentences in the candidates of every case."""
        return [self._mark(case) for case in cases]

    def _mark(self, case: Case) -> Case:
        analyse = find_analyser("stem-stop")
        terms = [
            [frozenset(analyse(sentence)) for sentence in candidate.document.sentences]
            for candidate in case.candidates
        ]
        weights = _weights(frozenset(analyse(case.claim.text)), terms)
        return replace(
            case,
            candidates=tuple(
                self._choose(candidate, sentences, weights)
                for candidate, sentences in zip(case.candidates, terms, strict=True)
            ),
        )

    def _choose(
        self, candidate: Candidate, sentences: list[frozenset[str]], weights: dict[str, float]
    ) -> Candidate:
        total = sum(weights.values()) or 1.0
        shares = [
            sum(weights[term] for term in sorted(sentence & weights.keys())) / total
            for sentence in sentences
        ]
        best = sorted(range(len(shares)), key=lambda index: (-shares[index], index))[: self.n]
        return replace(
            candidate,
            rationale=tuple(
                RationaleSentence(index, Score(shares[index]))
                for index in best
                if shares[index] >= self.threshold
            ),
        )


def _weights(claim: frozenset[str], candidates: list[list[frozenset[str]]]) -> dict[str, float]:
    """Give each claim term its inverse document frequency over the candidates' sentences."""
    sentences = [sentence for sentences in candidates for sentence in sentences]
    counts = Counter(term for sentence in sentences for term in sentence & claim)
    return {term: math.log(1 + len(sentences) / (1 + counts[term])) for term in sorted(claim)}
