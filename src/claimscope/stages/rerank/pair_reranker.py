"""The reranker of most papers: a model scores how relevant a document is to the claim."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.loader import Models
from claimscope.models.scorer import Pair, relevance
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.retrieve.ranking import CONTENTS as INDEXED
from claimscope.types import Candidate, Case, Document, Score

CONTENTS: Mapping[str, Callable[[Document], str]] = MappingProxyType(
    {**INDEXED, "title": lambda document: document.title}
)


def windows(sentences: tuple[str, ...], size: int, stride: int) -> list[str]:
    """Cut sentences into windows that overlap; the last one may be shorter.

    No window lies wholly inside the one before it (VerT5erini, section 3.1).
    """
    starts = [0]
    while starts[-1] + size < len(sentences):
        starts.append(starts[-1] + stride)
    return [" ".join(sentences[start : start + size]) for start in starts]


ORDERS = ("score", "incoming", "chance")


@dataclass(frozen=True)
class RelevanceReranker(Composable):
    """Scores each candidate by a pair or prompt model, orders them, and keeps at most k.

    With a window the abstract is read in overlapping windows of so many sentences, and the best
    window counts (VerT5erini, section 3.1); `title` puts the title before each. A candidate is
    kept if its probability reaches the threshold: 0.5 is a two-class model's own decision, as in
    SciFCheX's title classifiers (section 4.3.3). They leave the incoming order as it was, and cut
    the surplus in it, as their code does, or with the order "chance" at random, as their report
    says; `seed` then decides what is kept.
    """

    model: str
    content: str = "title-and-abstract"
    window: int = 0
    """Sentences in a window; 0 reads the content whole."""
    stride: int = 0
    """Sentences from one window's start to the next; 0 is half a window."""
    title: bool = False
    """Whether windows begin with the title."""
    order: str = "score"
    k: int = 3
    threshold: float = 0.0
    seed: int = 0
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "relevance"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        require_positive(self, "k")
        if self.content not in CONTENTS:
            raise UnknownNameError("kind of content", self.content, CONTENTS)
        if self.order not in ORDERS:
            raise UnknownNameError("order", self.order, ORDERS)
        if not 0 <= self.stride <= self.window or (self.window == 1 and self.stride != 1):
            raise ConfigurationError(
                f"Stage {stage_id(self)} has windows of {self.window} sentences and a stride of "
                f"{self.stride}; the stride must lie between 1 and the window."
            )

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Score the candidates of all cases together."""
        texts = [self._texts(item.document) for case in cases for item in case.candidates]
        claims = [case.claim.text for case in cases for _ in case.candidates]
        pairs = [
            Pair(claim, text)
            for claim, readings in zip(claims, texts, strict=True)
            for text in readings
        ]
        scores = iter(relevance(self.models.scorer(self.model), pairs) if pairs else ())
        best = iter([max((next(scores) for _ in readings), key=_raw) for readings in texts])
        return [replace(case, candidates=self._keep(case, best)) for case in cases]

    def _texts(self, document: Document) -> list[str]:
        if not self.window:
            return [CONTENTS[self.content](document)]
        stride = self.stride or self.window // 2
        head = f"{document.title} " if self.title and document.title else ""
        return [head + text for text in windows(document.sentences, self.window, stride)]

    def _keep(self, case: Case, best: Iterator[Score]) -> tuple[Candidate, ...]:
        name = stage_id(self)
        scored = [replace(item, scores=item.scored(name, next(best))) for item in case.candidates]
        if self.order == "score":
            scored.sort(key=lambda item: (-item.scores[name].raw, item.document.id))
        passing = [
            item for item in scored if (item.scores[name].probability or 0.0) >= self.threshold
        ]
        if self.order == "chance" and len(passing) > self.k:
            generator = random.Random(f"{self.seed} {case.claim.text}")
            places = sorted(generator.sample(range(len(passing)), self.k))
            passing = [passing[place] for place in places]
        return tuple(passing[: self.k])


def _raw(score: Score) -> float:
    return score.raw
