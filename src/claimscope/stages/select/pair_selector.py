"""The papers' sentence selectors: a model scores every sentence on its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.loader import Models
from claimscope.models.scorer import Pair, relevance
from claimscope.pipeline.stage import Composable, Kind, Part, map_candidates
from claimscope.types import Candidate, Case, RationaleSentence, Score

ORDERS = ("score", "index")
"""Best first, or as in the abstract. SciFact's scorer reads only the first three sentences."""


@dataclass(frozen=True)
class RelevanceSelector(Composable):
    """Takes the sentences whose probability reaches the threshold.

    0.5 is VeriSci's and SciFCheX's (footnote 7), 0.999 VerT5erini's (section 3.2), 0.99 the
    BERT-T5 study's (section 2.2).
    """

    model: str
    threshold: float = 0.5
    n: int = 0
    """At most so many sentences; 0 for all that pass."""
    order: str = "score"
    """"score" gives the best first; "index" keeps the order of the abstract, as the code of
    VeriSci, SciFCheX and VerT5erini does."""
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.SELECT
    name: ClassVar[str] = "relevance"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset({Part.RATIONALE})

    def __post_init__(self) -> None:
        check_order(self.order)
        if self.n < 0 or not 0 <= self.threshold <= 1:
            raise ConfigurationError(
                "Stage select.relevance needs an n of 0 or more and a threshold between 0 and 1, "
                f"not {self.n} and {self.threshold:g}."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Score the sentences of all candidates together."""
        pairs = [
            Pair(case.claim.text, sentence.strip())
            for case in cases
            for item in case.candidates
            for sentence in item.document.sentences
        ]
        scores = iter(relevance(self.models.scorer(self.model), pairs) if pairs else ())
        return map_candidates(cases, lambda _, item: self._mark(item, scores))

    def _mark(self, candidate: Candidate, scores: Iterator[Score]) -> Candidate:
        sentences = [
            RationaleSentence(index, next(scores))
            for index in range(len(candidate.document.sentences))
        ]
        return replace(candidate, rationale=chosen(sentences, self.threshold, self.n, self.order))


def check_order(order: str) -> None:
    """Refuse an order of sentences that does not exist."""
    if order not in ORDERS:
        raise UnknownNameError("order of sentences", order, ORDERS)


def chosen(
    sentences: Sequence[RationaleSentence], threshold: float, n: int = 0, order: str = "score"
) -> tuple[RationaleSentence, ...]:
    """Take the sentences that reach a threshold, at most the n best of them unless n is 0."""
    passing = [item for item in sentences if (item.score.probability or 0.0) >= threshold]
    passing.sort(key=lambda item: (-item.score.raw, item.index))
    best = passing[: n or None]
    return tuple(sorted(best, key=lambda item: item.index) if order == "index" else best)
