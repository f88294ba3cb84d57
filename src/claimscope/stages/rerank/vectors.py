"""Ranks what was found once more, by words that mean the same and not only by the same words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.models.catalogue import VECTORS
from claimscope.models.loader import Models
from claimscope.models.text_encoder import TextEncoder
from claimscope.pipeline.stage import Composable, Kind, Part, require_positive, stage_id
from claimscope.stages.rerank.contents import CONTENTS
from claimscope.stages.rerank.earlier import earlier_score
from claimscope.types import Candidate, Case, Score


@dataclass(frozen=True)
class VectorReranker(Composable):
    """Adds the likeness of claim and document to the score of an earlier stage and keeps the best.

    Both sides of the sum are brought to at most 1 (a weighted sum of two rankings' scores, as in
    Bruch et al., 2023, section 4): the earlier score is taken beside the best one's, and of the
    cosine of the two vectors what is above 0. Only what was found is encoded, so that no index of
    vectors is needed.
    """

    model: str = VECTORS
    weight: float = 1.0
    """How much likeness counts beside the earlier score."""
    content: str = "title-and-abstract"
    k: int = 10
    models: Models = field(default_factory=Models, repr=False, compare=False)

    kind: ClassVar[Kind] = Kind.RERANK
    name: ClassVar[str] = "vectors"
    requires: ClassVar[frozenset[Part]] = frozenset({Part.CANDIDATES})
    provides: ClassVar[frozenset[Part]] = frozenset()

    def __post_init__(self) -> None:
        require_positive(self, "k")
        if self.weight < 0:
            raise ConfigurationError(
                "Parameter 'weight' of stage rerank.vectors must be 0 or more, "
                f"not {self.weight:g}."
            )
        if self.content not in CONTENTS:
            raise UnknownNameError("kind of content", self.content, CONTENTS)

    def run(self, cases: Sequence[Case]) -> list[Case]:
        """Rank the candidates of every case."""
        return [replace(case, candidates=self._ranked(case)) for case in cases]

    def _ranked(self, case: Case) -> tuple[Candidate, ...]:
        if not case.candidates:
            return ()
        name = stage_id(self)
        earlier = [earlier_score(item, "", name).raw for item in case.candidates]
        texts = [CONTENTS[self.content](item.document) for item in case.candidates]
        likenesses = likeness(self.models.encoder(self.model), case.claim.text, texts)
        scores = summed(earlier, likenesses, self.weight)
        ranked = [
            replace(item, scores=item.scored(name, Score(score)))
            for item, score in zip(case.candidates, scores, strict=True)
        ]
        ranked.sort(key=lambda item: (-item.scores[name].raw, item.document.id))
        return tuple(ranked[: self.k])


def likeness(encoder: TextEncoder, claim: str, texts: Sequence[str]) -> list[float]:
    """Give the cosine of each text's vector with the claim's, and 0 where it is negative."""
    vectors = encoder.encode([claim, *texts])
    cosines: list[float] = np.maximum(vectors[1:] @ vectors[0], 0.0).tolist()
    return cosines


def summed(earlier: Sequence[float], likenesses: Sequence[float], weight: float) -> list[float]:
    """Add weighted likenesses to scores, which are taken beside the best one."""
    best = max(earlier, default=0.0)
    return [
        (max(0.0, score) / best if best > 0 else 1.0) + weight * like
        for score, like in zip(earlier, likenesses, strict=True)
    ]
